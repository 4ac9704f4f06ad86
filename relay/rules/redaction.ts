import type { Sight } from '#relay/rules/roles';
import { sights } from '#relay/rules/roles';
import { isRecord } from '#core/seller/wire';
import { parseJson } from '#core/text/json';

type Body = Readonly<Record<string, unknown>>;

const always = ['name', 'username', 'currency', 'registered_at'];

/**
 * Leaves out of an account reply (spec section 2, "Account") what the role may not see; nothing is set to zero or to empty text.
 *
 * Only known fields stay, so that a deployment's own additions are not shown. A body that is no JSON stays for a role that sees
 * all, and is emptied for any other, since a cut-off reply may hold a balance.
 */
export function redactAccount(body: Uint8Array, sees: readonly Sight[]): Uint8Array {
  if (sights.every((sight) => sees.includes(sight))) return body;
  const reply = parseReply(new TextDecoder().decode(body));
  if (reply === undefined) return new Uint8Array();
  const kept: Record<string, unknown> = pick(reply, ['status', 'msg', 'message']);
  if (isRecord(reply['data'])) kept['data'] = redactData(reply['data'], sees);
  return new TextEncoder().encode(JSON.stringify(kept));
}

function redactData(data: Body, sees: readonly Sight[]): Body {
  const kept = pick(data, [...always, ...sees]);
  const profile = kept['profile'];
  if (isRecord(profile) && !sees.includes('email')) {
    const rest = Object.entries(profile).filter(([name]) => name !== 'contact');
    return { ...kept, profile: Object.fromEntries(rest) };
  }
  return kept;
}

function pick(body: Body, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

/** Parses a reply as `openReply` does: whole, or from the first brace after a PHP notice. */
function parseReply(text: string): Body | undefined {
  const whole = parseJson(text);
  const value = whole === undefined ? parseJson(text.slice(Math.max(0, text.indexOf('{')))) : whole;
  return isRecord(value) ? value : undefined;
}
