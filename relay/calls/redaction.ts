import type { routesAt } from '#core/marketplaces/asking';
import { accountParts, type Role } from '#relay/rules/index';
import { isRecord } from '#core/record';
import { parseAfterNotice } from '#core/encoding/index';

type Body = Readonly<Record<string, unknown>>;

/**
 * Removes from an account reply what the role may not see; nothing is set to zero or to empty text.
 *
 * Only listed fields are kept, so that a deployment's own additions are not shown. A body that is not JSON is shown only to a role that
 * sees everything, since a cut-off reply may contain a balance.
 */
export function redactAccount(
  body: Uint8Array,
  fields: ReturnType<typeof routesAt>[number]['accountFields'],
  maySee: Role['maySee'],
): Uint8Array {
  if (accountParts.every((part) => maySee.includes(part))) return body;
  const shown = Object.keys(fields).filter((path) =>
    fields[path]?.every((part) => maySee.includes(part)),
  );
  return keepFields(body, shown);
}

/** Keeps only what is at these dotted paths of a reply; if it is not JSON, only the kind of its text. */
export function keepFields(body: Uint8Array, fields: readonly string[]): Uint8Array {
  const text = new TextDecoder().decode(body);
  const reply = parseAfterNotice(text);
  if (!isRecord(reply)) {
    // An empty body would look like the marketplace's own refusal.
    const [first = ''] = text.trimStart();
    return new TextEncoder().encode(['<', '{', ''].includes(first) ? first : '-');
  }
  return new TextEncoder().encode(JSON.stringify(pick(reply, new Set(fields), '')));
}

/** Picks the fields below a path, in a list those of each record. A list or an object in the place of a text is left out. */
function pick(body: Body, shown: ReadonlySet<string>, path: string): Body {
  const kept = Object.entries(body).flatMap(([name, value]) => {
    const at = path + name;
    if (shown.has(`${at}.*`)) return [[name, value]];
    if (typeof value !== 'object' || value === null) return shown.has(at) ? [[name, value]] : [];
    if (![...shown].some((each) => each.startsWith(`${at}.`))) return [];
    const pickBelow = (one: Body): Body => pick(one, shown, `${at}.`);
    if (isRecord(value)) return [[name, pickBelow(value)]];
    return Array.isArray(value) ? [[name, value.filter(isRecord).map(pickBelow)]] : [];
  });
  return Object.fromEntries(kept) as Body;
}
