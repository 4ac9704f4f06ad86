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
  // A license reaches the worker for this call alone.
  'authority.validate': { from: verifierPage, body: authorityCall },
} satisfies Rules;

export interface AuthorityReplies {
  'authorities.list': AuthorityState[];
  /** Adds (no `id`) or changes. */
  'authorities.save': Result<AuthorityState, AuthoritySaveFault>;
  /** Can be undone until `undoUntil` (epoch ms). */
  'authorities.delete': Result<{ undoUntil: number }, StorageFull | SetByPolicy>;
  'authorities.restore': Result<AuthorityState, AuthoritySaveFault>;
  /** Validates at the authority in the installation's name. The reply comes back unread: the page judges it. */
  'authority.validate': Result<EncodedReply, AuthorityFault>;
}

export type AuthoritySaveFault =
  | { readonly kind: 'no-authority' }
  | StorageFull
  | TooMany
  | SetByPolicy;

/** Why no request went to an authority, or no whole reply came back. */
export type AuthorityFault =
  | TransportFault
  | { readonly kind: 'no-authority' }
  /** The browser has not been allowed to reach this origin. */
  | { readonly kind: 'not-permitted'; readonly origin: string };
