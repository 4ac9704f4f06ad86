import { accountSights, type Sight } from '#relay/rules/roles';
import { isRecord } from '#core/marketplaces/wire';
import { parseJson } from '#core/text/json';

type Body = Readonly<Record<string, unknown>>;

const always = ['username', 'currency', 'registered_at'];
const namesOfAPerson = ['firstname', 'lastname', 'full_name'];
const ofProfile = ['heading', 'description', 'social_links', 'media'];

/**
 * Leaves out of an account reply (spec section 2, "Account") what the role may not see; nothing is set to zero or to empty text.
 *
 * Only known fields stay, so that a deployment's own additions are not shown. A body that is no JSON stays for a role that sees
 * all, and is emptied for any other, since a cut-off reply may hold a balance.
 */
export function redactAccount(body: Uint8Array, sees: readonly Sight[]): Uint8Array {
  if (accountSights.every((sight) => sees.includes(sight))) return body;
  const reply = parseReply(new TextDecoder().decode(body));
  if (reply === undefined) return new Uint8Array();
  const kept = pickPlain(reply, ['status', 'msg', 'message']);
  if (isRecord(reply['data'])) kept['data'] = redactData(reply['data'], sees);
  return new TextEncoder().encode(JSON.stringify(kept));
}

function redactData(data: Body, sees: readonly Sight[]): Body {
  const { name, profile } = data;
  return {
    ...pickPlain(data, [
      ...always,
      'name',
      ...accountSights.filter((sight) => sight !== 'profile' && sees.includes(sight)),
    ]),
    ...(isRecord(name) && { name: pickPlain(name, namesOfAPerson) }),
    ...(isRecord(profile) &&
      sees.includes('profile') && {
        profile: pick(profile, sees.includes('email') ? [...ofProfile, 'contact'] : ofProfile),
      }),
  };
}

function pick(body: Body, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

/** Does the same, without lists and objects, in which something else may lie. */
function pickPlain(body: Body, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(pick(body, names)).filter(
      ([, value]) => typeof value !== 'object' || value === null,
    ),
  );
}

/** Parses a reply as `openReply` does: whole, or from the first brace after a PHP notice. */
function parseReply(text: string): Body | undefined {
  const whole = parseJson(text);
  const value = whole === undefined ? parseJson(text.slice(Math.max(0, text.indexOf('{')))) : whole;
  return isRecord(value) ? value : undefined;
}
