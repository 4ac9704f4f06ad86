import type { Connection } from '#core/connections/connection';
import type { Result } from '#core/result';
import type { NoBody, Topic } from '#messaging/topic';

/** The settings file: connections and preferences, never a key. */
export interface SettingsProtocol {
  'settings.export': Topic<NoBody, SettingsFile>;
  'settings.import': Topic<
    { file: unknown },
    Result<{ added: number; changed: number }, ImportFault>
  >;
}

export interface SettingsFile {
  readonly format: 'counterfoil-settings';
  readonly version: 1;
  readonly connections: readonly Omit<Connection, 'revision'>[];
}

export interface ImportFault {
  readonly kind: 'unreadable';
  readonly path: string;
}
