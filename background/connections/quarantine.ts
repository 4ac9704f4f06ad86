import type { SecretStore } from '#adapters/secrets/secret-store';
import type { HistoryStore } from '#adapters/storage/history-store';
import type { JobStore } from '#adapters/storage/job-store';
import type { Quarantine } from '#adapters/storage/quarantine';
import type { RecordList } from '#adapters/storage/record-list';
import type { StoredSetting } from '#adapters/storage/stored-setting';
import type { QuarantineReplies, QuarantineReport } from '#messaging/topics/quarantine';
import type { HandlersOf } from '#messaging/serve';

/** Holds the settings in extension storage, by the name that quarantine knows them by. */
export type StoredSettings = Readonly<
  Record<
    'preferences' | 'reply-templates' | 'team',
    Pick<StoredSetting<object>, 'read' | 'isNewer' | 'moveAside'>
  >
>;

interface QuarantineDependencies {
  readonly quarantine: Quarantine;
  readonly lists: readonly Pick<RecordList<object>, 'hasNewer'>[];
  readonly secrets: Pick<SecretStore, 'state'>;
  readonly settings: StoredSettings;
  readonly history: Pick<HistoryStore, 'settings' | 'hasNewer'>;
  readonly jobs: Pick<JobStore, 'hasNewer'>;
  /** Erases the keys that only removed records needed. */
  readonly tidy: () => Promise<void>;
}

/** Reports stored records that this version cannot read, and removes them when the agent says so. */
export function createQuarantineHandlers(
  dependencies: QuarantineDependencies,
): HandlersOf<QuarantineReplies> {
  const { quarantine, lists, secrets, settings, history, jobs, tidy } = dependencies;
  const namedSettings = [
    ['preferences', settings.preferences],
    ['reply-templates', settings['reply-templates']],
    ['team', settings.team],
  ] as const;

  async function report(): Promise<QuarantineReport> {
    if (await quarantine.isNewerDatabase()) return { records: [], newer: true };
    // Reading the key record sets it aside when it cannot be read; it rejects for a newer version alone.
    const newerKeys = await secrets.state().then(
      () => false,
      () => true,
    );
    for (const [source, setting] of namedSettings) {
      await setting.read();
      await setting.moveAside((unreadable) => quarantine.add({ source, ...unreadable }));
    }
    await history.settings();
    const newer = await Promise.all([
      ...lists.map((list) => list.hasNewer()),
      ...namedSettings.map(([, setting]) => setting.isNewer()),
      history.hasNewer(),
      jobs.hasNewer(),
    ]);
    return { records: await quarantine.list(), newer: newerKeys || newer.includes(true) };
  }

  return {
    'quarantine.list': report,
    'quarantine.copy': async ({ id }) => (await quarantine.copy(id)) ?? null,
    'quarantine.remove': async ({ id }) => {
      await quarantine.remove(id);
      await tidy();
      return report();
    },
  };
}
