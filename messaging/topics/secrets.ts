import * as v from 'valibot';

import type { SecretFault, SecretState } from '#core/connections/index';
import type { Result } from '#core/result';
import { boundedText, checkPages, noBody, optionsPage, type Rules } from '#messaging/topic';

const passphrase = boundedText(1024);

/**
 * Matches a change of the mode or its settings. Changing to or from `passphrase` needs `passphrase`. If the mode stays
 * `passphrase`, `newPassphrase` replaces the present `passphrase`; with neither, only the timer is set.
 */
const modeChange = v.strictObject({
  mode: v.picklist(['device', 'passphrase', 'session']),
  passphrase: v.exactOptional(passphrase),
  newPassphrase: v.exactOptional(passphrase),
  lockAfterMinutes: v.exactOptional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1440)),
  ),
});

export const lockRules = {
  'secrets.state': { from: checkPages, body: noBody },
  'secrets.unlock': { from: checkPages, body: v.strictObject({ passphrase }) },
  'secrets.lock': { from: checkPages, body: noBody },
} satisfies Rules;

export const secretsRules = {
  'secrets.set-mode': { from: optionsPage, body: modeChange },
  'secrets.reset': { from: optionsPage, body: noBody },
} satisfies Rules;

/** The worker's replies to the topics about how API keys are protected on this device. */
export interface SecretsReplies {
  'secrets.state': SecretState;
  /** Re-encrypts every key for the new mode. */
  'secrets.set-mode': Result<SecretState, SecretFault>;
  'secrets.unlock': Result<SecretState, SecretFault>;
  'secrets.lock': SecretState;
  /** For a forgotten passphrase: erases every key and returns to `device`. Keys must be entered again. */
  'secrets.reset': SecretState;
}
