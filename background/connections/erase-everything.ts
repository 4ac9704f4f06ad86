import type { Permissions } from '#adapters/browser/permissions';
import type { Eraser } from '#adapters/storage/eraser';
import type { Connections } from '#background/connections/connections';
import type { Locking } from '#background/connections/locking';
import type { RunExclusive } from '#background/serial-queue';

interface Parts {
  readonly eraser: Eraser;
  readonly permissions: Pick<Permissions, 'giveUpAll'>;
  readonly locking: Pick<Locking, 'reset'>;
  readonly connections: Pick<Connections, 'applyRules'>;
  /** Ends the ticket scripts of sites that are not stored any more. */
  readonly sitesChanged: () => Promise<void>;
  /** Lets open pages drop what they still show. */
  readonly publishErasure: () => void;
  readonly runExclusive: RunExclusive;
}

/** Erases all that is stored, ends every ticket script, gives every origin back to the browser and empties open pages. */
export function createEraseEverything(parts: Parts): () => Promise<null> {
  const { eraser, permissions, locking, connections, sitesChanged, publishErasure, runExclusive } =
    parts;

  return () =>
    runExclusive('connections', async () => {
      // As a lock does, it keeps answers that are under way from being stored. Keys that cannot be read are not in use.
      await locking.reset().catch(() => undefined);
      await eraser.erase();
      try {
        await connections.applyRules();
        // Before the origins are given back, while messages still reach their pages.
        await sitesChanged();
        await permissions.giveUpAll();
      } finally {
        publishErasure();
      }
      return null;
    });
}
