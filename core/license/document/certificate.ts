import type { Envelope } from '#core/license/document/envelope';
import { parseInstallationId } from '#core/license/document/installation-id';
import {
  documentTypes,
  type MomentName,
  readCommonFields,
  textOfClaim,
} from '#core/license/document/license';
import { type MomentFault, readMoment } from '#core/license/encoding/read-timestamp';
import type { Encoding } from '#core/license/keys/pinned-key';
import type { JsonObject, JsonOddity } from '#core/license/encoding/strict-json';
import { fail, type Result, succeed } from '#core/result';

/**
 * Holds what an activation certificate says: spec section 2. Its four fields are there and readable, and the deadlines stand
 * in order. JSON-safe; moments are epoch milliseconds.
 */
export interface Certificate {
  readonly kind: 'certificate';
  readonly encoding: Encoding;
  readonly claims: JsonObject;
  /** As the certificate spells it. */
  readonly domain: string;
  /** A UUID in lower case. */
  readonly installationId: string;
  readonly nextValidationAt: number;
  /** Never before `nextValidationAt`. */
  readonly graceUntil: number;
  readonly productSlug?: string;
  readonly licenseId?: string;
  readonly licenseType?: string;
  readonly keyId?: string;
  readonly issuedAt?: number;
  readonly expiresAt?: number;
  /** Dates beside the four that are there and cannot be read. */
  readonly unreadable: readonly MomentName[];
}

/** Tells why what a certificate says does not count. `field`: the name as it stands in the document. */
export type CertificateFault =
  | { readonly kind: 'not-an-object' }
  | { readonly kind: 'other-type'; readonly type: string }
  | { readonly kind: 'missing-fields'; readonly fields: readonly string[] }
  | {
      readonly kind: 'unreadable-field';
      readonly field: string;
      readonly because: MomentFault | 'not-a-domain' | 'not-a-uuid';
    }
  /** `next_validation_at` after `grace_until`. */
  | { readonly kind: 'deadlines-reversed' }
  | { readonly kind: 'ambiguous-json'; readonly oddities: readonly JsonOddity[] }
  /** A license that stands in the place of a certificate. */
  | { readonly kind: 'misplaced-license' };

const requiredFields = ['domain', 'installation_id', 'next_validation_at', 'grace_until'] as const;

export function readCertificate({
  encoding,
  payload,
}: Envelope): Result<Certificate, CertificateFault> {
  const claims = payload.object;
  if (claims === undefined) return fail({ kind: 'not-an-object' });
  const oddities = payload.oddities.filter((oddity) => oddity.endsWith('-name'));
  if (oddities.length > 0) return fail({ kind: 'ambiguous-json', oddities });
  const { typ: type } = claims;
  if (type !== undefined && type !== documentTypes.certificate) {
    return fail({ kind: 'other-type', type: textOfClaim(type) });
  }
  const missing = requiredFields.filter((name) => (claims[name] ?? '') === '');
  if (missing.length > 0) return fail({ kind: 'missing-fields', fields: missing });
  return readFields(claims, encoding);
}

function readFields(claims: JsonObject, encoding: Encoding): Result<Certificate, CertificateFault> {
  const unreadable = (
    field: (typeof requiredFields)[number],
    because: MomentFault | 'not-a-domain' | 'not-a-uuid',
  ): Result<never, CertificateFault> => fail({ kind: 'unreadable-field', field, because });

  const domain = claims['domain'];
  if (typeof domain !== 'string') return unreadable('domain', 'not-a-domain');
  const installationId = parseInstallationId(claims['installation_id']);
  if (installationId === undefined) return unreadable('installation_id', 'not-a-uuid');
  const nextValidationAt = readMoment(claims['next_validation_at']);
  if (!nextValidationAt.ok) return unreadable('next_validation_at', nextValidationAt.fault);
  const graceUntil = readMoment(claims['grace_until']);
  if (!graceUntil.ok) return unreadable('grace_until', graceUntil.fault);
  if (nextValidationAt.value > graceUntil.value) return fail({ kind: 'deadlines-reversed' });
  return succeed({
    ...readCommonFields(claims),
    kind: 'certificate',
    encoding,
    claims,
    domain,
    installationId,
    nextValidationAt: nextValidationAt.value,
    graceUntil: graceUntil.value,
  });
}
