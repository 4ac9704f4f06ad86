import {
  type DocumentFault,
  type DocumentVerifier,
  isNewerCertificate,
  type VerifiedCertificate,
  type Written,
} from '#core/license/index';
import type { LicenseRequest, TransportFault } from '#core/installation/ports';
import type { AuthorityRefusal } from '#core/installation/saved-state';
import {
  isJsonObject,
  type JsonObject,
  ownBytes,
  parseStrictJson,
  textOfUtf8,
} from '#core/encoding/index';
import { type Result, omitUndefined } from '#core/result';
import { isServerTrouble, type RawReply } from '#core/http/exchange';

/** Why the authority gave no usable answer. All of these are outages; none is a refusal, whatever the reply said. */
export type NoAnswerReason =
  | TransportFault
  | Exclude<AuthorityReply, { readonly kind: 'certificate' | 'refused' }>
  | DocumentFault
  /** A genuine certificate that is not newer than the present one, perhaps a replay. */
  | { readonly kind: 'older-certificate' };

/** The outcome of asking the authority, once every certificate in it has been verified. */
export type ValidationOutcome =
  | {
      readonly kind: 'granted';
      readonly certificate: VerifiedCertificate;
      /** The certificate as received; it is stored unchanged. */
      readonly written: string | JsonObject;
    }
  | { readonly kind: 'refused'; readonly refusal: AuthorityRefusal }
  | { readonly kind: 'unavailable'; readonly fault: NoAnswerReason; readonly retryAt?: number };

/** The facts that the answer is compared with. */
export interface ValidationContext {
  readonly request: LicenseRequest;
  /** The certificate that a newer one would replace. */
  readonly present?: PresentCertificate;
}

export interface PresentCertificate {
  readonly certificate: VerifiedCertificate;
  /** The certificate as stored. */
  readonly written: string | JsonObject;
}

/** Judges a reply. An HTTP success alone proves nothing: spec section 5.3. */
export async function judgeReply(
  reply: Result<RawReply, TransportFault>,
  { request, present }: ValidationContext,
  verifier: DocumentVerifier,
): Promise<ValidationOutcome> {
  if (!reply.ok) return { kind: 'unavailable', fault: reply.fault };
  const { retryAt } = reply.value;
  const unavailable = (fault: NoAnswerReason): ValidationOutcome =>
    omitUndefined({
      kind: 'unavailable',
      fault,
      retryAt,
    });
  const answer = readAuthorityReply(reply.value);
  if (answer.kind === 'refused') {
    return { kind: 'refused', refusal: { status: answer.status, msg: answer.msg } };
  }
  if (answer.kind !== 'certificate') return unavailable(answer);
  const { written } = answer;
  const judged = await verifier.certificate(written, request.license, request.installationId);
  if (!judged.ok) return unavailable(judged.fault);
  const fresh = {
    certificate: judged.value,
    written: typeof written === 'string' ? written : written.object,
  };
  if (present !== undefined && !isNewerCertificate(fresh, present)) {
    return unavailable({ kind: 'older-certificate' });
  }
  return { kind: 'granted', ...fresh };
}

/** The content of a reply, before a certificate in it is believed. */
export type AuthorityReply =
  | { readonly kind: 'certificate'; readonly written: Written }
  | ({ readonly kind: 'refused' } & AuthorityRefusal)
  /** 2xx and readable, but it proves nothing: spec section 5.3. */
  | { readonly kind: 'no-certificate' }
  /** HTML, broken JSON, or JSON that is not an object: something other than the authority may have answered. */
  | { readonly kind: 'not-json'; readonly status: number }
  /** A status that says nothing about the license. */
  | { readonly kind: 'no-answer'; readonly status: number };

/** Proxies, gateways and rate limiters may answer with these instead of the authority. */
const noJudgement = new Set([401, 404, 408, 425, 429]);
const maxMsgLength = 500;

/**
 * Reads an authority's reply without verifying anything in it.
 *
 * A refusal is a readable JSON object with `status: "error"`, with HTTP 200 or a 4xx that is a judgement, whose message
 * is not about the server's own trouble. Everything else without a certificate is an outage: a captive portal, a
 * firewall's page or a wrong path must not lock anybody out.
 */
export function readAuthorityReply({ status, body }: RawReply): AuthorityReply {
  const text = textOfUtf8(ownBytes(body))?.replace(/^\uFEFF/, '');
  const parsed = text === undefined ? undefined : parseStrictJson(text);
  if (!parsed?.ok || !isJsonObject(parsed.value.value)) return { kind: 'not-json', status };
  const { value: reply, oddities } = parsed.value;
  const judged = status === 200 || (status >= 400 && status < 500 && !noJudgement.has(status));
  const { status: word, msg: sent } = reply;
  const msg = typeof sent === 'string' ? shortened(sent) : '';
  const isError = judged && word === 'error';
  if (isError && !isServerTrouble(msg)) return { kind: 'refused', status, msg };
  if (isError || status < 200 || status > 299) return { kind: 'no-answer', status };
  const written = findCertificate(reply);
  if (written === undefined) return { kind: 'no-certificate' };
  return {
    kind: 'certificate',
    written: typeof written === 'string' ? written : { object: written, oddities },
  };
}

/** Finds the spec's field, also if the reply wraps its fields in `data` as the seller API does. */
function findCertificate(reply: JsonObject): string | JsonObject | undefined {
  const { data, activation_certificate: direct } = reply;
  const { activation_certificate: wrapped }: JsonObject = isJsonObject(data) ? data : {};
  const written = direct ?? wrapped;
  if (isJsonObject(written)) return written;
  return typeof written === 'string' && written !== '' ? written : undefined;
}

function shortened(msg: string): string {
  return msg.length > maxMsgLength ? `${msg.slice(0, maxMsgLength)}…` : msg;
}
