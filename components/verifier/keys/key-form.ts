import type { changeKey } from '#core/key-ring/ring';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import { dayMs } from '#core/time/units';

/** A key's changeable fields as they are typed. Days are `YYYY-MM-DD`, in UTC, both included. */
export interface KeyFormFields {
  label: string;
  kind: PinnedKey['kind'];
  keyId: string;
  from: string;
  to: string;
  authority: string;
  /** The fingerprint of another key; `''` for none. */
  sameAuthorityAs: string;
  products: string;
}

export function formOf(key: PinnedKey): KeyFormFields {
  return {
    label: key.label,
    kind: key.kind,
    keyId: key.keyId ?? '',
    from: dayOf(key.validFrom),
    to: dayOf(key.validTo),
    authority: key.authority ?? '',
    sameAuthorityAs: key.sameAuthorityAs ?? '',
    products: key.products?.join(', ') ?? '',
  };
}

/** Reads the changes from a form. What is left empty is taken away; an authority is kept as its origin. */
export function changesFrom(form: KeyFormFields): Parameters<typeof changeKey>[2] {
  const from = Date.parse(form.from);
  const to = Date.parse(form.to);
  const slugs = form.products.split(/[\s,;]+/u).filter((slug) => slug !== '');
  const authority = form.authority.trim();
  return {
    label: form.label.trim(),
    kind: form.kind,
    keyId: form.keyId.trim() || undefined,
    validFrom: Number.isNaN(from) ? undefined : from,
    validTo: Number.isNaN(to) ? undefined : to + dayMs - 1,
    authority: URL.canParse(authority) ? new URL(authority).origin : authority || undefined,
    sameAuthorityAs: form.sameAuthorityAs || undefined,
    products: slugs.length > 0 ? slugs : undefined,
  };
}

function dayOf(moment: number | undefined): string {
  if (moment === undefined || Math.abs(moment) > 8.64e15) return '';
  return new Date(moment).toISOString().slice(0, 10);
}
