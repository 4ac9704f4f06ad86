import * as v from 'valibot';

import {
  authorityFields,
  authorityIdSchema,
  type AuthorityState,
  type EncodedReply,
} from '#core/authority/index';
import type { LicenseRequest, TransportFault } from '#core/installation/index';
import { licenseLimitBytes, parseInstallationId } from '#core/license/index';
import type { SetByPolicy } from '#core/policy/index';
import type { Result } from '#core/result';
import type { StorageFull, TooMany } from '#core/storage/index';
import { optionsPage, verifierPage, boundedText, noBody, type Rules } from '#messaging/topic';

const id = authorityIdSchema;

const draft = v.strictObject({
  id: v.exactOptional(id),
  ...authorityFields,
});

export type AuthorityDraft = v.InferOutput<typeof draft>;

const licenseRequestSchema: v.GenericSchema<unknown, LicenseRequest> = v.strictObject({
  license: boundedText(licenseLimitBytes),
  domain: boundedText(253),
  productSlug: boundedText(200),
  installationId: v.pipe(
    v.string(),
    v.check((text) => parseInstallationId(text) === text),
  ),
});

const authorityCall = v.strictObject({
  authorityId: id,
  request: licenseRequestSchema,
});

export const authorityRules = {
  'authorities.list': { from: [...optionsPage, 'verifier'], body: noBody },
  'authorities.save': { from: optionsPage, body: draft },
  'authorities.delete': { from: optionsPage, body: v.strictObject({ id }) },
  'authorities.restore': { from: optionsPage, body: v.strictObject({ id }) },
  // A license is sent to the worker only for this call.
  'authority.validate': { from: verifierPage, body: authorityCall },
} satisfies Rules;

export interface AuthorityReplies {
  'authorities.list': AuthorityState[];
  /** Adds (without `id`) or changes an authority. */
  'authorities.save': Result<AuthorityState, AuthoritySaveFault>;
  /** Deletes an authority; this can be undone until `undoUntil` (epoch milliseconds). */
  'authorities.delete': Result<{ undoUntil: number }, StorageFull | SetByPolicy>;
  'authorities.restore': Result<AuthorityState, AuthoritySaveFault>;
  /** Validates at the authority on behalf of the installation. The reply is returned unparsed; the page judges it. */
  'authority.validate': Result<EncodedReply, AuthorityFault>;
}

export type AuthoritySaveFault =
  | { readonly kind: 'no-authority' }
  | StorageFull
  | TooMany
  | SetByPolicy;

/** Why no request was sent to an authority, or no complete reply arrived. */
export type AuthorityFault =
  | TransportFault
  | { readonly kind: 'no-authority' }
  /** The browser has not been allowed to reach this origin. */
  | { readonly kind: 'not-permitted'; readonly origin: string };
