import * as v from 'valibot';

import type { LicenseAuthority } from '#core/authority/authority';
import { authorityBounds, authorityFields, authorityIdSchema } from '#core/authority/authority';
import type { LicenseRequest, TransportFault } from '#core/installation/ports';
import { LICENSE_LIMIT_BYTES } from '#core/license/document/document';
import { parseInstallationId } from '#core/license/document/installation-id';
import type { JsonObject } from '#core/license/encoding/strict-json';
import type { ControlCommand } from '#core/rehearsal/control-api';
import { injectableFaults } from '#core/rehearsal/control-api';

/** An authority as pages see it. */
export interface AuthorityState extends LicenseAuthority {
  /** Whether the browser allows the worker to reach its origin. */
  readonly permitted: boolean;
  /** Whether a control token is kept for it. */
  readonly hasControl: boolean;
}

export interface AuthorityDraft extends Omit<LicenseAuthority, 'id'> {
  readonly id?: string;
  /** Leaving it out keeps the present one, as long as the origin stays and it is a test authority. */
  readonly controlToken?: string;
}

export type AuthoritySaveFault =
  { readonly kind: 'no-authority' } | { readonly kind: 'storage-full' };

/** Why an authority was not asked, or brought no whole reply. */
export type AuthorityFault =
  | TransportFault
  | { readonly kind: 'no-authority' }
  /** The browser has not been allowed to reach this origin. */
  | { readonly kind: 'not-permitted'; readonly origin: string };

export type RehearsalFault =
  | AuthorityFault
  /** A live authority is never rehearsed with. */
  | { readonly kind: 'not-test' }
  | { readonly kind: 'no-token' }
  | { readonly kind: 'token-refused' }
  | { readonly kind: 'no-control'; readonly status: number };

export const authorityDraftSchema: v.GenericSchema<unknown, AuthorityDraft> = v.strictObject({
  id: v.exactOptional(authorityIdSchema),
  ...authorityFields,
  controlToken: v.exactOptional(
    v.pipe(v.string(), v.nonEmpty(), v.maxLength(authorityBounds.controlToken)),
  ),
});

const text = (longest: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(longest));

const licenseRequestSchema: v.GenericSchema<unknown, LicenseRequest> = v.strictObject({
  license: text(LICENSE_LIMIT_BYTES),
  domain: text(253),
  productSlug: text(200),
  installationId: v.pipe(
    v.string(),
    v.check((id) => parseInstallationId(id) === id),
  ),
});

/** Of `authority.validate` and the rehearsal's two calls. */
export const authorityCallSchema: v.GenericSchema<unknown, AuthorityCall> = v.strictObject({
  authorityId: authorityIdSchema,
  request: licenseRequestSchema,
});
export interface AuthorityCall {
  readonly authorityId: string;
  readonly request: LicenseRequest;
}

const moment = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8e15));
const licenseId = text(200);

export const controlCommandSchema: v.GenericSchema<unknown, ControlCommand> = v.variant('do', [
  v.strictObject({ do: v.literal('look') }),
  v.strictObject({ do: v.literal('clock'), now: v.exactOptional(moment) }),
  v.strictObject({ do: v.literal('availability'), available: v.boolean() }),
  v.strictObject({ do: v.literal('revoke'), licenseId }),
  v.strictObject({ do: v.literal('unrevoke'), licenseId }),
  v.strictObject({ do: v.literal('inject-fault'), fault: v.picklist(injectableFaults) }),
  v.strictObject({ do: v.literal('clear-faults') }),
]);

/** Claims of a license as JSON, no larger than a license may be. */
export const claimsSchema: v.GenericSchema<unknown, JsonObject> = v.custom<JsonObject>(
  (claims) =>
    typeof claims === 'object' &&
    claims !== null &&
    !Array.isArray(claims) &&
    jsonLength(claims) <= LICENSE_LIMIT_BYTES,
);

function jsonLength(value: object): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
