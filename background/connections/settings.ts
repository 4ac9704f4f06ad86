import { type Result, fail, succeed } from '#core/result';
import { connectionBounds } from '#core/connections/connection-schema';
import type { ConnectionStore } from '#adapters/storage/connection-store';
import type { ImportFault, SettingsFile } from '#messaging/settings/protocol';
import type { Connections } from '#background/connections/connections';
import type { SessionCache } from '#background/seller/session-cache';
import { merge, readSettingsFile, toSettingsFile } from '#background/connections/settings-file';
import type { RunExclusive } from '#background/serial-queue';

interface Parts {
  readonly store: ConnectionStore;
  readonly connections: Connections;
  readonly sessionCache: SessionCache;
  readonly runExclusive: RunExclusive;
}

export interface Settings {
  export(): Promise<SettingsFile>;
  /** All of the file or nothing. Keys are entered by hand afterwards. */
  import(file: unknown): Promise<Result<{ added: number; changed: number }, ImportFault>>;
}

export function createSettings({
  store,
  connections,
  sessionCache,
  runExclusive,
}: Parts): Settings {
  return {
    export: async () => toSettingsFile(await store.read()),

    import: (file) =>
      runExclusive('connections', async () => {
        const imported = readSettingsFile(file);
        if (!imported.ok) return imported;
        const merged = merge(await store.read(), imported.value, () => crypto.randomUUID());
        if (merged.connections.length > connectionBounds.connections)
          return fail({ kind: 'unreadable', path: 'connections' });
        const written = await store.change(() => merged.connections);
        if (!written.ok) throw new Error('There is no room for the connections of the file.');
        for (const id of merged.changed) await sessionCache.forget(id);
        await connections.applyRules();
        return succeed({ added: merged.added, changed: merged.changed.length });
      }),
  };
}
