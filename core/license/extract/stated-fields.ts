import { readMoment } from '#core/license/encoding/read-timestamp';
import type { LastContact } from '#core/license/standing';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/license/encoding/strict-json';
import { omitUndefined } from '#core/omit-undefined';

/** Holds what a file says beside its signed documents. Nobody vouches for any of it. */
export interface StatedFields {
  readonly domain?: string;
  readonly productSlug?: string;
  readonly installationId?: string;
  /** `at`: epoch milliseconds. */
  readonly lastContact?: LastContact;
}

/** Members that make an object a License request or a saved installation state: spec section 2. */
const stateMarks = ['license', 'activation_certificate', 'installation_id', 'last_contact'];

/**
 * Reads what a License request or a saved installation state says beside its signed documents (spec section 2). Any other
 * object gives nothing. Nobody vouches for any of it.
 */
export function readStatedFields(object: JsonObject): StatedFields {
  if (!stateMarks.some((name) => name in object)) return {};
  const { domain, product_slug, installation_id, last_contact } = object;
  return omitUndefined({
    domain: textOf(domain),
    productSlug: textOf(product_slug),
    installationId: textOf(installation_id),
    lastContact: readLastContact(last_contact),
  });
}

/**
 * Merges what two files state, the same in either order: the later contact counts, and of two different texts the one that
 * sorts first.
 */
export function mergeStated(a: StatedFields, b: StatedFields): StatedFields {
  return omitUndefined({
    domain: firstOf(a.domain, b.domain),
    productSlug: firstOf(a.productSlug, b.productSlug),
    installationId: firstOf(a.installationId, b.installationId),
    lastContact: laterOf(a.lastContact, b.lastContact),
  });
}

function firstOf(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

function laterOf(a: LastContact | undefined, b: LastContact | undefined): LastContact | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.at !== b.at) return a.at > b.at ? a : b;
  return a.outcome < b.outcome ? a : b;
}

/** Reads `{at, outcome}`, in the words that installations use. An unknown outcome counts as none. */
function readLastContact(value: JsonValue | undefined): LastContact | undefined {
  if (!isJsonObject(value)) return undefined;
  const { at, outcome } = value;
  const moment = readMoment(typeof at === 'number' && at > 1e11 ? at / 1000 : at);
  const known =
    typeof outcome === 'string' ? contactOutcomes.get(outcome.toLowerCase()) : undefined;
  return moment.ok && known !== undefined ? { at: moment.value, outcome: known } : undefined;
}

const contactOutcomes: ReadonlyMap<string, LastContact['outcome']> = new Map([
  ...named('validated', 'validated', 'success', 'ok'),
  ...named('unreachable', 'unreachable', 'unavailable', 'failed', 'failure', 'offline', 'timeout'),
  ...named('refused', 'refused', 'refusal', 'denied'),
]);

function named(
  outcome: LastContact['outcome'],
  ...words: readonly string[]
): (readonly [string, LastContact['outcome']])[] {
  return words.map((word) => [word, outcome] as const);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
