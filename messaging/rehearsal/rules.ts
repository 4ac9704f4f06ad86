import * as v from 'valibot';

import { authorityIdSchema as authorityId } from '#core/authority/authority';
import { licenseLimitBytes } from '#core/license/document/document';
import type { JsonObject } from '#core/license/encoding/strict-json';
import { type ControlCommand, injectableFaults } from '#core/rehearsal/control-api';
import { authorityCallSchema } from '#messaging/authority/rules';
import { boundedText, jsonLength } from '#messaging/body-schemas';
import type { RehearsalProtocol } from '#messaging/topics/rehearsal';
import type { RulesOf } from '#messaging/rule';
import { verifierPage } from '#messaging/senders';

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

export const rehearsalRules: RulesOf<RehearsalProtocol> = {
  'rehearsal.activate': { from: verifierPage, body: authorityCallSchema },
  'rehearsal.validate': { from: verifierPage, body: authorityCallSchema },
  'rehearsal.control': {
    from: verifierPage,
    body: v.strictObject({ authorityId, command: controlCommandSchema }),
  },
  'rehearsal.sample': {
    from: verifierPage,
    body: v.strictObject({ authorityId, claims: claimsSchema }),
  },
};
