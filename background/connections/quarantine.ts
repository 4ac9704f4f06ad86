import type { SecretStore } from '#adapters/secrets/secret-store';
import type { Quarantine } from '#adapters/storage/quarantine';
import type { RecordList } from '#adapters/storage/record-list';
import type { QuarantineProtocol, QuarantineReport } from '#messaging/quarantine/protocol';
import type { HandlersOf } from '#messaging/serve';

interface QuarantineDependencies {
  readonly quarantine: Quarantine;
  readonly lists: readonly Pick<RecordList<object>, 'hasNewer'>[];
  readonly secrets: Pick<SecretStore, 'state'>;
  /** Erases the keys that only removed records needed. */
  readonly tidy: () => Promise<void>;
}

/** Reports stored records that this version cannot read, and removes them when the agent says so. */
export function createQuarantineHandlers(
  outside: QuarantineDependencies,
): HandlersOf<QuarantineProtocol> {
  const { quarantine, lists, secrets, tidy } = outside;

  async function report(): Promise<QuarantineReport> {
    if (await quarantine.isNewerDatabase()) return { records: [], newer: true };
    // Reading the key record sets it aside when it cannot be read; it rejects for a newer version alone.
    const newerKeys = await secrets.state().then(
      () => false,
      () => true,
    );
    const newer = await Promise.all(lists.map((list) => list.hasNewer()));
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
