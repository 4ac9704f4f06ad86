import type { HistorySettings } from '#core/history/entry';
import type { PrivacySettings } from '#core/settings/settings-file';

type Switches = Omit<PrivacySettings, 'history'>;

/** Names one setting and the value that an import gives it. */
export interface PrivacyChange {
  readonly setting: keyof Switches | keyof HistorySettings;
  readonly value: boolean | number | string;
}

/** Lists the settings that a file changes. */
export function privacyChanges(
  { history: before, ...present }: PrivacySettings,
  { history, ...wanted }: PrivacySettings,
): PrivacyChange[] {
  return [...differing<Switches>(present, wanted), ...differing<HistorySettings>(before, history)];
}

function differing<T extends Switches | HistorySettings>(
  before: T,
  after: T,
): { setting: keyof T; value: T[keyof T] }[] {
  return (Object.keys(before) as (keyof T)[])
    .filter((setting) => before[setting] !== after[setting])
    .map((setting) => ({ setting, value: after[setting] }));
}
