import { isJsonObject, type JsonObject, type JsonValue } from '#core/encoding/index';
import type { LastContact } from '#core/license/standing';
import { readMoment } from '#core/time/index';
import { omitUndefined } from '#core/result';

/** The unsigned fields of a file. None of them is verified. */
export interface StatedFields {
  readonly domain?: string;
  readonly productSlug?: string;
  readonly installationId?: string;
  readonly lastContact?: LastContact;
}

/** Members that make an object a License request or a saved installation state: spec section 2. */
const stateMarks = ['license', 'activation_certificate', 'installation_id', 'last_contact'];

/** Reads the unsigned fields of a License request or a saved installation state. Any other object gives none. */
export function readStatedFields(object: JsonObject): StatedFields {
  if (!stateMarks.some((name) => name in object)) return {};
  const textIn = (name: string): string | undefined => {
    const value = object[name];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  return omitUndefined({
    domain: textIn('domain'),
    productSlug: textIn('product_slug'),
    installationId: textIn('installation_id'),
    lastContact: readLastContact(object['last_contact']),
  });
}

/** The words that installations use for the outcome of a contact. */
const outcomes = [
  ['validated', /^(?:validated|success|ok)$/i],
  ['unreachable', /^(?:unreachable|unavailable|failed|failure|offline|timeout)$/i],
  ['refused', /^(?:refused|refusal|denied)$/i],
] as const;

/** Reads `{at, outcome}`. Returns undefined for an unknown outcome. */
function readLastContact(value: JsonValue | undefined): LastContact | undefined {
  if (!isJsonObject(value)) return undefined;
  const { at, outcome: word } = value;
  const moment = readMoment(typeof at === 'number' && at > 1e11 ? at / 1000 : at);
  const [outcome] =
    outcomes.find(([, words]) => typeof word === 'string' && words.test(word)) ?? [];
  return moment.ok && outcome !== undefined ? { at: moment.value, outcome } : undefined;
}

/**
 * Merges the unsigned fields of two files, with the same result in either order: the later contact counts, and of two
 * different texts the one that sorts first.
 */
export function mergeStated(a: StatedFields, b: StatedFields): StatedFields {
  const contacts = [a.lastContact, b.lastContact].filter((one) => one !== undefined);
  return omitUndefined({
    domain: [a.domain, b.domain].sort()[0],
    productSlug: [a.productSlug, b.productSlug].sort()[0],
    installationId: [a.installationId, b.installationId].sort()[0],
    lastContact: contacts.sort(
      (one, other) => other.at - one.at || (one.outcome < other.outcome ? -1 : 1),
    )[0],
  });
}
