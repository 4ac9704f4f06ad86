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
import type { LastContact } from '#core/license/standing';
import type { VerifyContext } from '#core/license/verify';
import type { Result } from '#core/result';
import type { RawReply } from '#core/seller/exchange';

/** What a reply proves, and what the installation would keep of it: a text for the inspection to read. */
export interface ValidationFinding {
  readonly outcome: ValidationOutcome;
  readonly state: string;
  /** The contact itself, where this answer, and no older word of the file, is the last one. */
  readonly lastContact?: LastContact;
}

/** One validation request about an opened bundle, whose reply is judged as the installation itself would judge it. */
export interface ValidationInquiry {
  /** Tells why nothing may be sent: the license does not hold for this domain and product. */
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
      const held =
        written !== undefined && present?.ok === true
          ? { present: { certificate: present.value, written } }
          : {};
      const outcome = await judgeReply(reply, { request, ...held }, judge);
      const recorded = recordValidation(state, outcome, request, now);
      const { lastContact } = recorded;
      return {
        outcome,
        state: writeSavedState(recorded),
        ...(lastContact?.at === now && { lastContact }),
      };
    },
  };
}

/** Turns the text of a certificate that is a JSON object back into one. */
function asWritten(raw: string): NonNullable<SavedState['certificate']> {
  const parsed = raw.startsWith('{') ? parseStrictJson(raw) : undefined;
  return parsed?.ok === true && isJsonObject(parsed.value.value) ? parsed.value.value : raw;
}
