import * as v from 'valibot';

import { noBody } from '#messaging/body-schemas';
import type { QuarantineProtocol } from '#messaging/topics/quarantine';
import type { RulesOf } from '#messaging/rule';
import { optionsPage } from '#messaging/senders';

const byId = v.strictObject({ id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) });

export const quarantineRules: RulesOf<QuarantineProtocol> = {
  'quarantine.list': { from: optionsPage, body: noBody },
  'quarantine.copy': { from: optionsPage, body: byId },
  'quarantine.remove': { from: optionsPage, body: byId },
};
