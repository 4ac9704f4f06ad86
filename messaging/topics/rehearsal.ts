import * as v from 'valibot';

import { authorityIdSchema as authorityId } from '#core/authority/authority';
import type { EncodedReply } from '#core/authority/validation-request';
import { licenseLimitBytes } from '#core/license/document/document';
import type { JsonObject } from '#core/license/encoding/strict-json';
import {
  type ControlCommand,
  type ControlState,
  type SampleLicense,
  injectableFaults,
} from '#core/rehearsal/control-api';
import type { Result } from '#core/result';
import { verifierPage, boundedText, jsonLength, type Rules } from '#messaging/topic';
import { type AuthorityFault, authorityCall } from '#messaging/topics/authority';

const moment = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8e15));
const licenseId = boundedText(200);

const controlCommandSchema: v.GenericSchema<unknown, ControlCommand> = v.variant('do', [
  v.strictObject({ do: v.literal('look') }),
  v.strictObject({ do: v.literal('clock'), now: v.exactOptional(moment) }),
  v.strictObject({ do: v.literal('availability'), available: v.boolean() }),
  v.strictObject({ do: v.literal('revoke'), licenseId }),
  v.strictObject({ do: v.literal('unrevoke'), licenseId }),
  v.strictObject({ do: v.literal('inject-fault'), fault: v.picklist(injectableFaults) }),
  v.strictObject({ do: v.literal('clear-faults') }),
]);

/** Reads claims of a license as JSON, no larger than a license may be. */
const claimsSchema: v.GenericSchema<unknown, JsonObject> = v.custom<JsonObject>(
  (claims) =>
    typeof claims === 'object' &&
    claims !== null &&
    !Array.isArray(claims) &&
    jsonLength(claims) <= licenseLimitBytes,
);

export const rehearsalRules = {
  'rehearsal.activate': { from: verifierPage, body: authorityCall },
  'rehearsal.validate': { from: verifierPage, body: authorityCall },
  'rehearsal.control': {
    from: verifierPage,
    body: v.strictObject({ authorityId, command: controlCommandSchema }),
  },
  'rehearsal.sample': {
    from: verifierPage,
    body: v.strictObject({ authorityId, claims: claimsSchema }),
  },
} satisfies Rules;

/** Lists what the worker replies to a rehearsal's calls, which go to test authorities alone. */
export interface RehearsalReplies {
  'rehearsal.activate': Result<EncodedReply, RehearsalFault>;
  'rehearsal.validate': Result<EncodedReply, RehearsalFault>;
  'rehearsal.control': Result<ControlState, RehearsalFault>;
  'rehearsal.sample': Result<SampleLicense, RehearsalFault>;
}

export type RehearsalFault =
  | AuthorityFault
  /** A live authority is never rehearsed with. */
  | { readonly kind: 'not-test' }
  | { readonly kind: 'no-token' }
  | { readonly kind: 'token-refused' }
  | { readonly kind: 'no-control'; readonly status: number };
