import type { SecretFault, SecretMode, SecretState } from '#core/connections/secret';
import type { Result } from '#core/result';
import type { NoBody, Topic } from '#messaging/topic';

/** Lists the topics about how API keys are protected on this device. */
export interface SecretsProtocol {
  'secrets.state': Topic<NoBody, SecretState>;
  /** Wraps every key again under the new mode. */
  'secrets.set-mode': Topic<SecretModeChange, Result<SecretState, SecretFault>>;
  'secrets.unlock': Topic<{ passphrase: string }, Result<SecretState, SecretFault>>;
  'secrets.lock': Topic<NoBody, SecretState>;
  /** For a forgotten passphrase: erases every key and returns to `device`. Keys must be entered again. */
  'secrets.reset': Topic<NoBody, SecretState>;
}

/**
 * Describes a change of the mode or its settings. Changing to or from `passphrase` needs `passphrase`. While the mode
 * stays `passphrase`, `passphrase` is the present one and `newPassphrase` replaces it; with neither, only the timer is
 * set.
 */
export interface SecretModeChange {
  mode: SecretMode;
  passphrase?: string;
  newPassphrase?: string;
  lockAfterMinutes?: number;
}
