import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

import * as v from 'valibot';

import type { JsonObject } from '#core/encoding/index';
import { type Result, fail, succeed } from '#core/result';
import {
  type CertificateTerms,
  type IssuedCertificate,
  type LicenseClaims,
  readLicense,
  signCertificate,
  signLicense,
  termsFrom,
} from '#sandbox/authority/documents';
import type { AuthorityKeys } from '#sandbox/authority/keys';
import { type Binding, openRecords } from '#sandbox/authority/records';
import {
  type IssueRequest,
  ProductSlug,
  type ReceivedLicenseRequest,
  asciiDomain,
} from '#sandbox/authority/requests';
import type { SettingsStore } from '#sandbox/authority/settings';
import { inTransaction } from '#sandbox/database';

const optionalText = v.nullish(v.string());

/** A line of the audit trail, which never contains a token or a license. */
const auditLine = v.object({
  id: v.number(),
  /** Epoch milliseconds on the authority's clock. */
  at: v.number(),
  actor: v.picklist(['installation', 'marketplace', 'administrator', 'control', 'unknown']),
  action: v.string(),
  outcome: v.picklist(['granted', 'refused']),
  licenseId: optionalText,
  domain: optionalText,
  installationId: optionalText,
  detail: v.string(),
});

type AuditLine = v.InferOutput<typeof auditLine>;
type AuditEntry = Omit<AuditLine, 'id' | 'at'>;

interface AuditTrail {
  record(at: number, entry: AuditEntry): void;
  /** Lists the entries, newest first; with an id, only those of that license. */
  list(filter: { licenseId?: string | undefined; limit: number }): AuditLine[];
}

function openAuditTrail(database: DatabaseSync): AuditTrail {
  const insert = database.prepare(
    `INSERT INTO audit_trail (at, actor, action, outcome, license_id, domain, installation_id, detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = database.prepare(
    `SELECT id, at, actor, action, outcome, license_id AS licenseId, domain,
            installation_id AS installationId, detail
     FROM audit_trail WHERE ?1 IS NULL OR license_id = ?1 ORDER BY id DESC LIMIT ?2`,
  );
  return {
    record(at, entry) {
      insert.run(
        at,
        entry.actor,
        entry.action,
        entry.outcome,
        entry.licenseId ?? null,
        entry.domain ?? null,
        entry.installationId ?? null,
        entry.detail,
      );
    },
    list: ({ licenseId, limit }) =>
      v.parse(v.array(auditLine), select.all(licenseId ?? null, limit)),
  };
}

type SignableClaims = JsonObject & {
  readonly license_id: string;
  readonly product_slug: string;
};

/** Claims that belong to a certificate, or to the key that signed the original. */
const leftOut = new Set(['installation_id', 'next_validation_at', 'grace_until', 'kid', 'typ']);

/**
 * Turns a customer's claims into those of a sample: under its own id, so that a trial touches no real license, and
 * marked with `sample` and `sample_of`.
 * @param at epoch milliseconds
 */
function sampleClaims(claims: JsonObject, at: number): SignableClaims {
  const copied = Object.fromEntries(Object.entries(claims).filter(([name]) => !leftOut.has(name)));
  const { license_id: original, product_slug: slug } = claims;
  return {
    issued_at: new Date(at).toISOString(),
    ...copied,
    license_id: `sample-${randomUUID()}`,
    ...(original === undefined ? {} : { sample_of: original }),
    product_slug: v.is(ProductSlug, slug) ? slug : 'sample-product',
    sample: true,
  };
}

/**
 * An explicit refusal with its HTTP status, which is never 401, 404, 408, 425 or 429, since a client must treat those
 * as an outage.
 */
interface Refusal {
  readonly status: 403 | 409;
  readonly msg: string;
}

/** Judges the claims of a genuine license, for both activate and validate, before its binding. */
function judgeClaims(
  claims: LicenseClaims,
  revocation: { readonly reason: string } | undefined,
  request: ReceivedLicenseRequest,
  at: number,
): Refusal | undefined {
  if (claims.productSlug.toLowerCase() !== request.product_slug.toLowerCase()) {
    return { status: 403, msg: 'This license is for another product.' };
  }
  if (revocation !== undefined) {
    const reason = revocation.reason === '' ? '' : `: ${revocation.reason}`;
    return { status: 403, msg: `This license has been revoked${reason}.` };
  }
  if (claims.expiresAt !== undefined && at >= claims.expiresAt) {
    return { status: 403, msg: 'This license has expired.' };
  }
  if (claims.domain !== undefined && asciiDomain(claims.domain) !== request.domain) {
    return { status: 403, msg: 'This license is for another domain.' };
  }
  return undefined;
}

/** Judges the binding: a bound license is only for that domain and installation (spec section 4). */
function judgeBinding(bound: Binding, request: ReceivedLicenseRequest): Refusal | undefined {
  if (bound.domain !== request.domain) {
    return { status: 409, msg: 'This license is bound to another domain.' };
  }
  if (bound.installationId !== request.installation_id) {
    return { status: 409, msg: 'This license is bound to another installation.' };
  }
  return undefined;
}

export interface Grant {
  readonly certificate: IssuedCertificate;
  readonly terms: CertificateTerms;
}

export interface MadeLicense {
  readonly licenseId: string;
  readonly license: string;
}

/** Makes every decision of the authority, each in one transaction with its line in the audit trail. */
export interface Ledger {
  /**
   * Activates a license. The first time binds it to this domain and installation; the same installation gets a fresh
   * certificate.
   */
  activate(request: ReceivedLicenseRequest): Result<Grant, Refusal>;
  /** Validates a license, only for the installation that it is bound to. */
  validate(request: ReceivedLicenseRequest): Result<Grant, Refusal>;
  issue(request: IssueRequest): MadeLicense;
  /** Signs the claims as a sample, always with a new license id and marked `sample`. */
  sample(claims: JsonObject): MadeLicense;
  /** Revokes a license; `undefined` if there is none with this id. */
  revoke(
    licenseId: string,
    reason: string,
    by: 'administrator' | 'control',
  ): { revokedAt: number } | undefined;
  /** Undoes a revocation; returns whether there was one. */
  unrevoke(licenseId: string): boolean;
  /** Returns the first certificate that was issued for the license. */
  oldestCertificate(licenseId: string): IssuedCertificate | undefined;
  readonly audit: AuditTrail;
}

/**
 * Opens the ledger in a database.
 * @param clock the authority's own clock, epoch milliseconds
 */
export function openLedger(
  database: DatabaseSync,
  keys: AuthorityKeys,
  settings: SettingsStore,
  clock: () => number,
): Ledger {
  const audit = openAuditTrail(database);
  const records = openRecords(database);

  const certify = (claims: LicenseClaims, request: ReceivedLicenseRequest, at: number): Grant => {
    const config = settings.config();
    const key = keys.current();
    const binding = {
      licenseId: claims.licenseId,
      productSlug: claims.productSlug,
      domain: request.domain,
      installationId: request.installation_id,
    };
    const terms = termsFrom(at, binding, config);
    const certificate = signCertificate(terms, key, config);
    records.addCertificate(terms, key.id, certificate);
    return { certificate, terms };
  };

  const judge = (
    license: Result<LicenseClaims, string>,
    request: ReceivedLicenseRequest,
    at: number,
    whenUnbound: (claims: LicenseClaims) => Refusal | undefined,
  ): Result<LicenseClaims, Refusal> => {
    if (!license.ok) return fail({ status: 403, msg: license.fault });
    const claims = license.value;
    const bound = records.binding(claims.licenseId);
    const refusal =
      judgeClaims(claims, records.revocation(claims.licenseId), request, at) ??
      (bound === undefined ? whenUnbound(claims) : judgeBinding(bound, request));
    return refusal === undefined ? license : fail(refusal);
  };

  const decide = (
    action: 'activate' | 'validate',
    request: ReceivedLicenseRequest,
    whenUnbound: (claims: LicenseClaims, at: number) => Refusal | undefined,
  ): Result<Grant, Refusal> => {
    // The signature check is the most expensive part and needs no row, so it comes before locking the database.
    const license = readLicense(request.license, keys.all());
    return inTransaction(database, () => {
      const at = clock();
      const judged = judge(license, request, at, (claims) => whenUnbound(claims, at));
      audit.record(at, {
        actor: 'installation',
        action,
        outcome: judged.ok ? 'granted' : 'refused',
        licenseId: license.ok ? license.value.licenseId : undefined,
        domain: request.domain,
        installationId: request.installation_id,
        detail: judged.ok ? 'certificate issued' : judged.fault.msg,
      });
      return judged.ok ? succeed(certify(judged.value, request, at)) : judged;
    });
  };

  const make = (claims: SignableClaims, cameFrom: 'issued' | 'sample'): MadeLicense =>
    inTransaction(database, () => {
      const at = clock();
      const { license_id: licenseId, product_slug: productSlug } = claims;
      const token = signLicense(claims, keys.current(), settings.config());
      records.addLicense({ licenseId, productSlug, cameFrom, token, at });
      audit.record(at, {
        actor: cameFrom === 'issued' ? 'marketplace' : 'control',
        action: cameFrom === 'issued' ? 'issue' : 'sample',
        outcome: 'granted',
        licenseId,
        detail: `license for ${productSlug}`,
      });
      return { licenseId, license: token };
    });

  return {
    audit,
    activate: (request) =>
      decide('activate', request, ({ licenseId, productSlug }, at) => {
        const { license: token, domain, installation_id: installationId } = request;
        // Signed here but not on record: a file of `npm run samples`.
        records.addLicense({ licenseId, productSlug, cameFrom: 'presented', token, at });
        records.bind(licenseId, { domain, installationId }, at);
        return undefined;
      }),
    validate: (request) =>
      decide('validate', request, () => ({
        status: 403,
        msg: 'This license has not been activated.',
      })),
    issue: (request) =>
      make(
        {
          ...(JSON.parse(JSON.stringify(request)) as JsonObject),
          license_id: randomUUID(),
          product_slug: request.product_slug,
          issued_at: new Date(clock()).toISOString(),
        },
        'issued',
      ),
    sample: (claims) => make(sampleClaims(claims, clock()), 'sample'),
    revoke: (licenseId, reason, by) =>
      inTransaction(database, () => {
        const revokedAt = clock();
        const known = records.hasLicense(licenseId);
        if (known) records.revoke(licenseId, by, reason, revokedAt);
        const detail = known ? reason : 'no such license';
        const outcome = known ? 'granted' : 'refused';
        audit.record(revokedAt, { actor: by, action: 'revoke', outcome, licenseId, detail });
        return known ? { revokedAt } : undefined;
      }),
    unrevoke: (licenseId) =>
      inTransaction(database, () => {
        const undone = records.unrevoke(licenseId);
        const detail = undone ? '' : 'was not revoked';
        const outcome = undone ? 'granted' : 'refused';
        audit.record(clock(), { actor: 'control', action: 'unrevoke', outcome, licenseId, detail });
        return undone;
      }),
    oldestCertificate: (licenseId) => records.oldestCertificate(licenseId),
  };
}
