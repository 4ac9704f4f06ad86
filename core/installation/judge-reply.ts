import { type AuthorityReply, readAuthorityReply } from '#core/installation/authority-reply';
import type { DocumentFault, DocumentVerifier } from '#core/installation/document-verifier';
import type { LicenseRequest, TransportFault } from '#core/installation/ports';
import type { AuthorityRefusal } from '#core/installation/saved-state';
import { compareCertificates, type DatedCertificate } from '#core/license/standing';
import type { JsonObject } from '#core/license/encoding/strict-json';
import type { VerifiedCertificate } from '#core/license/verify';
import type { Result } from '#core/result';
import type { RawReply } from '#core/seller/exchange';

/** Tells why asking the authority brought nothing. All of these are outages: none of them is a refusal, whatever was said. */
export type NoAnswerReason =
  | TransportFault
  | Exclude<AuthorityReply, { readonly kind: 'certificate' | 'refused' }>
  | DocumentFault
  /** A genuine certificate that does not replace the present one: a replay, perhaps. */
  | { readonly kind: 'older-certificate' };

/** Tells what asking the authority came to, once every certificate in it has been verified. */
export type ValidationOutcome =
  | {
      readonly kind: 'granted';
      readonly certificate: VerifiedCertificate;
      /** As it came, to be kept. */
      readonly written: string | JsonObject;
    }
  | { readonly kind: 'refused'; readonly refusal: AuthorityRefusal }
  | { readonly kind: 'unavailable'; readonly fault: NoAnswerReason; readonly retryAt?: number };

/** Holds what the answer is held against. */
export interface ValidationContext {
  readonly request: LicenseRequest;
  /** The certificate that a newer one would replace. */
  readonly present?: PresentCertificate;
}

export interface PresentCertificate {
  readonly certificate: VerifiedCertificate;
  /** As it is kept. */
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
  const unavailable = (fault: NoAnswerReason): ValidationOutcome => ({
    kind: 'unavailable',
    fault,
    ...(retryAt !== undefined && { retryAt }),
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
  if (present !== undefined && compareCertificates(datedOf(fresh), datedOf(present)) <= 0) {
    return unavailable({ kind: 'older-certificate' });
  }
  return { kind: 'granted', ...fresh };
}

function datedOf({ certificate, written }: PresentCertificate): DatedCertificate {
  const raw = typeof written === 'string' ? written : JSON.stringify(written);
  return { ...certificate, raw };
}
