import { type LastContact, parseInstallationId } from '#core/license/index';
import { readMoment } from '#core/time/index';
import {
  isJsonObject,
  type JsonObject,
  type JsonOddity,
  type JsonValue,
  parseJson,
  parseStrictJson,
} from '#core/encoding/index';
import { omitUndefined } from '#core/result';

export interface AuthorityRefusal {
  readonly status: number;
  /** Its message; `''` if it gave none. */
  readonly msg: string;
}

export interface RecordedContact extends LastContact {
  /** Present only with the outcome `refused`. */
  readonly refusal?: AuthorityRefusal;
}

/** When the authority was last asked, and how many requests failed since it last gave a current answer. */
export interface RetryPacing {
  readonly askedAt: number;
  readonly failures: number;
  /** From the authority's `Retry-After`. */
  readonly notBefore?: number;
}

/**
 * The stored state of an installation. It is written as JSON with the spec's names, so that the file is readable for a
 * support agent. Moments are epoch milliseconds here and ISO 8601 in the file.
 */
export interface SavedState {
  readonly installationId?: string;
  readonly license?: string;
  readonly domain?: string;
  readonly productSlug?: string;
  /** The certificate as received: a token or a JSON object. */
  readonly certificate?: string | JsonObject;
  readonly lastContact?: RecordedContact;
  readonly pacing?: RetryPacing;
  /** The latest moment that the clock has shown. */
  readonly latestSeen?: number;
  /** Ambiguities in the text; with any, a certificate that is a JSON object is not believed. */
  readonly oddities: readonly JsonOddity[];
}

/** Reads as much as possible: a damaged field is left out, and the others still count. */
export function readSavedState(text: string | undefined): SavedState {
  const { saved, oddities } = parseState(text);
  const { installation_id, product_slug, activation_certificate: written, last_contact } = saved;
  const { license: token, domain: host, pacing: pace, latest_seen } = saved;
  const installationId = parseInstallationId(installation_id);
  const license = textOf(token);
  const domain = textOf(host);
  const productSlug = textOf(product_slug);
  const certificate = isJsonObject(written) ? written : textOf(written);
  const lastContact = readContact(last_contact);
  const pacing = readPacing(pace);
  const latestSeen = momentOf(latest_seen);
  return omitUndefined({
    oddities,
    installationId,
    license,
    domain,
    productSlug,
    certificate,
    lastContact,
    pacing,
    latestSeen,
  });
}

/**
 * A certificate that is a JSON object needs the strict parser, which reports ambiguities; otherwise the engine's own is
 * faster.
 */
function parseState(text: string | undefined): {
  readonly saved: JsonObject;
  readonly oddities: readonly JsonOddity[];
} {
  const quick = text === undefined ? undefined : (parseJson(text) as JsonValue | undefined);
  if (!isJsonObject(quick)) return { saved: {}, oddities: [] };
  const { activation_certificate: written } = quick;
  if (!isJsonObject(written)) return { saved: quick, oddities: [] };
  const strict = parseStrictJson(text ?? '');
  return strict.ok && isJsonObject(strict.value.value)
    ? { saved: strict.value.value, oddities: strict.value.oddities }
    : { saved: {}, oddities: [] };
}

export function writeSavedState(state: SavedState): string {
  const { lastContact: contact, pacing } = state;
  return JSON.stringify({
    license: state.license,
    domain: state.domain,
    product_slug: state.productSlug,
    installation_id: state.installationId,
    activation_certificate: state.certificate,
    last_contact: contact && {
      at: isoOf(contact.at),
      outcome: contact.outcome,
      ...contact.refusal,
    },
    pacing: pacing && {
      asked_at: isoOf(pacing.askedAt),
      failures: pacing.failures,
      not_before: pacing.notBefore === undefined ? undefined : isoOf(pacing.notBefore),
    },
    latest_seen: state.latestSeen === undefined ? undefined : isoOf(state.latestSeen),
  });
}

function readContact(value: JsonValue | undefined): RecordedContact | undefined {
  if (!isJsonObject(value)) return undefined;
  const { at: moment, outcome, status, msg } = value;
  const at = momentOf(moment);
  if (at === undefined) return undefined;
  if (outcome === 'validated' || outcome === 'unreachable') return { at, outcome };
  if (outcome !== 'refused') return undefined;
  const refusal = {
    status: typeof status === 'number' ? status : 0,
    msg: typeof msg === 'string' ? msg : '',
  };
  return { at, outcome, refusal };
}

function readPacing(value: JsonValue | undefined): RetryPacing | undefined {
  if (!isJsonObject(value)) return undefined;
  const { failures, asked_at, not_before } = value;
  const askedAt = momentOf(asked_at);
  const notBefore = momentOf(not_before);
  if (askedAt === undefined || typeof failures !== 'number' || !(failures >= 0)) return undefined;
  return omitUndefined({ askedAt, failures, notBefore });
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function momentOf(value: JsonValue | undefined): number | undefined {
  const moment = readMoment(value);
  return moment.ok ? moment.value : undefined;
}

function isoOf(moment: number): string {
  return new Date(moment).toISOString();
}
