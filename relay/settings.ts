import { readKeyring } from '#relay/keys/keyring';
import type { Keyring } from '#relay/keys/keyring';

/** Reports a setting that is missing or cannot be read. */
class SettingProblem extends Error {
  override readonly name = 'SettingProblem';
}

/** Holds what the environment says. */
export interface Settings {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly metricsPort: number;
  readonly database: string;
  readonly logLevel: string;
  readonly noticeMs: number;
  /** Reads the key files when asked, since some commands need none. @throws MasterKeyProblem */
  readonly keyring: () => Keyring;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from environment variables; `relay/README.md` lists them. @throws SettingProblem */
export function readSettings(environment: Environment): Settings {
  const text = (name: string, otherwise: string): string => environment[name] ?? otherwise;
  const number = (name: string, otherwise: number, max: number): number => {
    const given = environment[name] ?? String(otherwise);
    if (/^\d+$/.test(given) && Number(given) <= max) return Number(given);
    throw new SettingProblem(`${name} is "${given}", and must be 0 to ${String(max)}.`);
  };
  const required = (name: string): string => {
    const given = environment[name];
    if (given !== undefined && given !== '') return given;
    throw new SettingProblem(`${name} is not set; relay/README.md says what it is.`);
  };
  return {
    name: text('RELAY_NAME', 'Counterfoil relay'),
    host: text('RELAY_HOST', '127.0.0.1'),
    port: number('RELAY_PORT', 8790, 65_535),
    metricsPort: number('RELAY_METRICS_PORT', 8791, 65_535),
    database: required('RELAY_DATABASE'),
    logLevel: text('RELAY_LOG_LEVEL', 'info'),
    noticeMs: number('RELAY_NOTICE_MS', 0, 60_000),
    keyring: () =>
      readKeyring([
        required('RELAY_MASTER_KEY'),
        ...text('RELAY_OLD_MASTER_KEYS', '')
          .split(':')
          .filter((file) => file !== ''),
      ]),
  };
}
