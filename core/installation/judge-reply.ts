import type { Answer } from '#core/installation/authority-reply';
import { readAnswer } from '#core/installation/authority-reply';
import type { DocumentFault, Judge } from '#core/installation/document-judge';
import type { LicenseRequest, TransportFault } from '#core/installation/ports';
import type { Refusal } from '#core/installation/saved-state';
import { isNewer } from '#core/license/standing';
import type { JsonObject } from '#core/license/encoding/strict-json';
import type { VerifiedCertificate } from '#core/license/verify';
import type { Result } from '#core/result';
import type { RawReply } from '#core/seller/exchange';

/** Why asking the authority brought nothing. All of these are outages: none of them is a refusal, whatever was said. */
export type ContactFault =
  | TransportFault
  | Exclude<Answer, { readonly kind: 'certificate' | 'refused' }>
  | DocumentFault
  /** A genuine certificate that does not replace the present one: a replay, perhaps. */
  | { readonly kind: 'older-certificate' };

/** What asking the authority came to, once every certificate in it has been verified. */
export type Outcome =
  | {
      readonly kind: 'granted';
      readonly certificate: VerifiedCertificate;
      /** As it came, to be kept. */
      readonly written: string | JsonObject;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unavailable'; readonly fault: ContactFault; readonly retryAt?: number };

/** What the answer is held against. */
export interface Asked {
  readonly request: LicenseRequest;
  /** The certificate that a newer one would replace. */
  readonly present?: VerifiedCertificate;
}

/** Judges a reply. An HTTP success alone proves nothing: spec section 5.3. */
export async function judgeReply(
  reply: Result<RawReply, TransportFault>,
  { request, present }: Asked,
  judge: Judge,
): Promise<Outcome> {
  if (!reply.ok) return { kind: 'unavailable', fault: reply.fault };
  const { retryAt } = reply.value;
  const unavailable = (fault: ContactFault): Outcome => ({
    kind: 'unavailable',
    fault,
    ...(retryAt !== undefined && { retryAt }),
  });
  const answer = readAnswer(reply.value);
  if (answer.kind === 'refused') {
    return { kind: 'refused', refusal: { status: answer.status, msg: answer.msg } };
  }
  if (answer.kind !== 'certificate') return unavailable(answer);
  const { written } = answer;
  const judged = await judge.certificate(written, request.license, request.installationId);
  if (!judged.ok) return unavailable(judged.fault);
  const certificate = judged.value;
  if (present !== undefined && !isNewer(certificate, present)) {
    return unavailable({ kind: 'older-certificate' });
  }
  const kept = typeof written === 'string' ? written : written.object;
  return { kind: 'granted', certificate, written: kept };
}
