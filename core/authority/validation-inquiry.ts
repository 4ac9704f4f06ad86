import type { ValidationOutcome } from '#core/installation/judge-reply';
import { judgeReply } from '#core/installation/judge-reply';
import type { DocumentFault } from '#core/installation/document-judge';
import { createDocumentJudge } from '#core/installation/document-judge';
import type { LicenseRequest, TransportFault } from '#core/installation/ports';
import { recordValidation } from '#core/installation/record';
import type { SavedState } from '#core/installation/saved-state';
import { writeSavedState } from '#core/installation/saved-state';
import type { Inspection } from '#core/license/inspect/inspection';
import { isJsonObject, parseStrictJson } from '#core/license/encoding/strict-json';
import type { VerifyContext } from '#core/license/verify';
import type { Result } from '#core/result';
import type { RawReply } from '#core/seller/exchange';

/** What an answer proves, and what the installation would keep of it: a text for the inspection to read. */
export interface ValidationFinding {
  readonly outcome: ValidationOutcome;
  readonly state: string;
}

/** One question to the authority about an opened bundle, judged as the installation itself would judge the answer. */
export interface ValidationInquiry {
  /** Why nothing may be sent: the license does not hold for this domain and product. */
  fault(): Promise<DocumentFault | undefined>;
  /** @param now epoch milliseconds of the real clock */
  judge(reply: Result<RawReply, TransportFault>, now: number): Promise<ValidationFinding>;
}

export function createValidationInquiry(
  request: LicenseRequest,
  { certificate, stated }: Pick<Inspection, 'certificate' | 'stated'>,
  context: VerifyContext,
): ValidationInquiry {
  const judge = createDocumentJudge(request, () => Promise.resolve(context));
  const state: SavedState = {
    ...request,
    oddities: [],
    ...(certificate !== undefined && { certificate: asWritten(certificate.raw) }),
    ...(stated.lastContact !== undefined && { lastContact: stated.lastContact }),
  };

  return {
    async fault() {
      const license = await judge.license(request.license);
      return license.ok ? undefined : license.fault;
    },

    async judge(reply, now) {
      const { certificate: written } = state;
      const present =
        written === undefined
          ? undefined
          : await judge.certificate(
              typeof written === 'string' ? written : { object: written, oddities: [] },
              request.license,
              request.installationId,
            );
      const held = present?.ok === true ? { present: present.value } : {};
      const outcome = await judgeReply(reply, { request, ...held }, judge);
      return { outcome, state: writeSavedState(recordValidation(state, outcome, request, now)) };
    },
  };
}

/** A view keeps a certificate as one text; one that is an object of JSON goes back to being one. */
function asWritten(raw: string): NonNullable<SavedState['certificate']> {
  const parsed = raw.startsWith('{') ? parseStrictJson(raw) : undefined;
  return parsed?.ok === true && isJsonObject(parsed.value.value) ? parsed.value.value : raw;
}
