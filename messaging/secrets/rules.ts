import * as v from 'valibot';

import { boundedText, noBody } from '#messaging/body-schemas';
import type { RulesOf } from '#messaging/rule';
import type { SecretsProtocol } from '#messaging/topics/secrets';
import { checkPages, optionsPage } from '#messaging/senders';

const passphrase = boundedText(1024);

export const secretsRules: RulesOf<SecretsProtocol> = {
  'secrets.state': { from: checkPages, body: noBody },
  'secrets.set-mode': {
    from: optionsPage,
    body: v.strictObject({
      mode: v.picklist(['device', 'passphrase', 'session']),
      passphrase: v.exactOptional(passphrase),
      newPassphrase: v.exactOptional(passphrase),
      lockAfterMinutes: v.exactOptional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1440)),
      ),
    }),
  },
  'secrets.unlock': { from: checkPages, body: v.strictObject({ passphrase }) },
  'secrets.lock': { from: checkPages, body: noBody },
  'secrets.reset': { from: optionsPage, body: noBody },
};
