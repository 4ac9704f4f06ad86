import { parseWithAssumedScheme } from '#core/address/index';
import type { ChangedFields } from '#core/key-ring/index';
import type { PinnedKey } from '#core/keys/index';
import { dayMs } from '#core/time/index';

/** A key's changeable fields as they are typed. Days are `YYYY-MM-DD`, in UTC, both included. */
export interface KeyFormFields {
  label: string;
  kind: PinnedKey['kind'];
  keyId: string;
  validFrom: string;
  validTo: string;
  authority: string;
  /** The fingerprint of the other key of the same authority; `''` for none. */
  sameAuthorityAs: string;
  products: string;
  /** One line per product: its names, separated by equals signs. */
  productNames: string;
}

export function formOf(key: PinnedKey): KeyFormFields {
  return {
    label: key.label,
    kind: key.kind,
    keyId: key.keyId ?? '',
    validFrom: dayOf(key.validFrom),
    validTo: dayOf(key.validTo),
    authority: key.authority ?? '',
    sameAuthorityAs: key.sameAuthorityAs ?? '',
    products: key.products?.join(', ') ?? '',
    productNames: (key.productNames ?? []).map((names) => names.join(' = ')).join('\n'),
  };
}

/**
 * Returns what was changed in a form. A field left empty removes its limit; an authority is stored as its origin. An
 * untouched field changes nothing, because the ring may hold more than the form shows, such as a time of day, or a
 * value that another page has set since.
 * @param shown the fields as the form first showed them
 */
export function changesFrom(form: KeyFormFields, shown: KeyFormFields): ChangedFields {
  const validFrom = Date.parse(form.validFrom);
  const validTo = Date.parse(form.validTo);
  const slugs = form.products.split(/[\s,;]+/u).filter((slug) => slug !== '');
  const named = form.productNames
    .split('\n')
    .map((line) =>
      line
        .split('=')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    )
    .filter((names) => names.length > 1);
  const typed: Required<Pick<ChangedFields, keyof KeyFormFields>> = {
    label: form.label.trim(),
    kind: form.kind,
    keyId: form.keyId.trim() || undefined,
    validFrom: Number.isNaN(validFrom) ? undefined : validFrom,
    validTo: Number.isNaN(validTo) ? undefined : validTo + dayMs - 1,
    authority: originOf(form.authority.trim()),
    sameAuthorityAs: form.sameAuthorityAs || undefined,
    products: slugs.length > 0 ? slugs : undefined,
    productNames: named.length > 0 ? named : undefined,
  };
  const names = Object.keys(shown) as (keyof KeyFormFields)[];
  const changed = names.filter((name) => form[name] !== shown[name]);
  return Object.fromEntries(changed.map((name) => [name, typed[name]]));
}

/** Returns an address's origin, by the same rule as a form of the authority; any other text is returned unchanged. */
function originOf(typed: string): string | undefined {
  return parseWithAssumedScheme(typed)?.origin ?? (typed || undefined);
}

function dayOf(moment: number | undefined): string {
  if (moment === undefined || Math.abs(moment) > 8.64e15) return '';
  return new Date(moment).toISOString().slice(0, 10);
}
