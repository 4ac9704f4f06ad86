import { judgeReply, type ValidationOutcome } from '#core/installation/judge-reply';
import { createDocumentVerifier, type DocumentFault } from '#core/installation/document-verifier';
import type { LicenseRequest, TransportFault } from '#core/installation/ports';
import { recordValidation } from '#core/installation/record';
import { type SavedState, writeSavedState } from '#core/installation/saved-state';
import type { Inspection } from '#core/license/inspect/inspection';
import { isJsonObject, parseStrictJson } from '#core/license/encoding/strict-json';
import type { LastContact } from '#core/license/standing';
import type { VerifyContext } from '#core/license/verify';
import type { Result } from '#core/result';
import type { RawReply } from '#core/marketplaces/exchange';

/** Holds what a reply proves, and the saved state that the installation would write. */
export interface ValidationFinding {
  readonly outcome: ValidationOutcome;
  readonly state: string;
  /** The last contact, when this reply is the newest one. */
  readonly lastContact?: LastContact;
}

/** Judges the reply to a validation request as the installation would. */
export interface ValidationInquiry {
  /** Returns why nothing may be sent: the license is not valid for this domain and product. */
  fault(): Promise<DocumentFault | undefined>;
  /** Judges a reply. @param now epoch milliseconds of the real clock */
  judge(reply: Result<RawReply, TransportFault>, now: number): Promise<ValidationFinding>;
}

/** Creates the inquiry for one request about an inspected bundle. */
export function createValidationInquiry(
  request: LicenseRequest,
  { certificate, stated }: Pick<Inspection, 'certificate' | 'stated'>,
  context: VerifyContext,
): ValidationInquiry {
  const verifier = createDocumentVerifier(request, () => Promise.resolve(context));
  const state: SavedState = {
    ...request,
    oddities: [],
    ...(certificate !== undefined && { certificate: asWritten(certificate.raw) }),
    ...(stated.lastContact !== undefined && { lastContact: stated.lastContact }),
  };

  return {
    async fault() {
      const license = await verifier.license(request.license);
      return license.ok ? undefined : license.fault;
    },

    async judge(reply, now) {
      const { certificate: written } = state;
      const present =
        written === undefined
          ? undefined
          : await verifier.certificate(
              typeof written === 'string' ? written : { object: written, oddities: [] },
              request.license,
              request.installationId,
            );
      const held =
        written !== undefined && present?.ok === true
          ? { present: { certificate: present.value, written } }
          : {};
      const outcome = await judgeReply(reply, { request, ...held }, verifier);
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

/** Parses a certificate that is a JSON object; returns any other as its text. */
function asWritten(raw: string): NonNullable<SavedState['certificate']> {
  const parsed = raw.startsWith('{') ? parseStrictJson(raw) : undefined;
  return parsed?.ok === true && isJsonObject(parsed.value.value) ? parsed.value.value : raw;
}
