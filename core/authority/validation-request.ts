import {
  judgeReply,
  type LicenseRequest,
  recordValidation,
  type SavedState,
  type TransportFault,
  type ValidationOutcome,
  writeSavedState,
} from '#core/installation/index';
import { hostOf } from '#core/http/host';
import {
  createDocumentVerifier,
  type DocumentFault,
  type Expected,
  type Inspection,
  type LastContact,
  parseInstallationId,
  type VerifyContext,
} from '#core/license/index';
import { fail, type Result, succeed, omitUndefined } from '#core/result';
import {
  decodeBase64Url,
  encodeBase64Url,
  isJsonObject,
  parseStrictJson,
} from '#core/encoding/index';
import type { RawReply } from '#core/http/exchange';

/** A License request about one bundle. */
export interface ValidationRequest {
  readonly request: LicenseRequest;
  readonly licenseId?: string;
  /** The `id` of the pinned key that verified the license. */
  readonly key: string;
}

export type ValidationRequestFault =
  /** The license is not verified, so it must not be sent. */
  | { readonly kind: 'not-genuine' }
  | {
      readonly kind: 'missing';
      readonly fields: readonly ('domain' | 'productSlug' | 'installationId')[];
    };

/**
 * Builds the License request (spec section 2) that the installation would send. Each field comes from the bundle's
 * certificate or license, or else from `expected`.
 */
export function validationRequestOf(
  { license, certificate, stated }: Inspection,
  expected: Expected,
): Result<ValidationRequest, ValidationRequestFault> {
  if (license?.genuine !== true || license.signed === undefined) {
    return fail({ kind: 'not-genuine' });
  }
  const certified = certificate?.genuine === true ? certificate.says : undefined;
  const licensed = license.says;
  const domain = firstOf(
    hostOf,
    stated.domain,
    certified?.domain,
    licensed?.domain,
    expected.domain,
  );
  const installationId = firstOf(
    parseInstallationId,
    stated.installationId,
    certified?.installationId,
    expected.installationId,
  );
  const productSlug = firstOf(
    (text) => text.trim() || undefined,
    stated.productSlug,
    licensed?.productSlug,
    certified?.productSlug,
    expected.productSlug,
  );
  if (domain === undefined || installationId === undefined || productSlug === undefined) {
    const found = { domain, productSlug, installationId };
    const fields = (['domain', 'productSlug', 'installationId'] as const).filter(
      (field) => found[field] === undefined,
    );
    return fail({ kind: 'missing', fields });
  }
  return succeed(
    omitUndefined({
      request: { license: license.raw, domain, productSlug, installationId },
      key: license.signed.key,
      licenseId: licensed?.licenseId,
    }),
  );
}

function firstOf(
  read: (text: string) => string | undefined,
  ...texts: readonly (string | undefined)[]
): string | undefined {
  for (const text of texts) {
    const value = text === undefined ? undefined : read(text);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The proof in a reply, and the saved state that the installation would write. */
export interface ValidationFinding {
  readonly outcome: ValidationOutcome;
  readonly state: string;
  /** The last contact, if this reply is the newest one. */
  readonly lastContact?: LastContact;
}

/** Judges the reply to a validation request as the installation would. */
interface ValidationInquiry {
  /** Returns why nothing may be sent: the license is not valid for this domain and product. */
  fault(): Promise<DocumentFault | undefined>;
  /** Judges a reply. @param now epoch milliseconds of the real clock */
  judge(reply: Result<RawReply, TransportFault>, now: number): Promise<ValidationFinding>;
}

export function createValidationInquiry(
  request: LicenseRequest,
  { certificate, stated }: Pick<Inspection, 'certificate' | 'stated'>,
  context: VerifyContext,
): ValidationInquiry {
  const verifier = createDocumentVerifier(request, () => Promise.resolve(context));
  const state: SavedState = omitUndefined({
    ...request,
    oddities: [],
    certificate: certificate && asWritten(certificate.raw),
    lastContact: stated.lastContact,
  });

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

/** Returns the certificate parsed if it is a JSON object, and otherwise its text. */
function asWritten(raw: string): NonNullable<SavedState['certificate']> {
  const parsed = raw.startsWith('{') ? parseStrictJson(raw) : undefined;
  return parsed?.ok === true && isJsonObject(parsed.value.value) ? parsed.value.value : raw;
}

/** A reply encoded for a message from the worker to a page, since messages are JSON and cannot carry bytes. */
export interface EncodedReply extends Omit<RawReply, 'body'> {
  /** base64url. */
  readonly body: string;
}

export function encodeReply({ body, ...rest }: RawReply): EncodedReply {
  return { ...rest, body: encodeBase64Url(body) };
}

/** Decodes a reply from a message; an invalid body becomes empty. */
export function decodeReply({ body, ...rest }: EncodedReply): RawReply {
  return { ...rest, body: decodeBase64Url(body) ?? new Uint8Array() };
}
