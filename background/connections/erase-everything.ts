import type { Permissions } from '#adapters/browser/permissions';
import { isKeysUnreadable } from '#adapters/secrets/index';
import type { AdministrationStorage } from '#adapters/storage/worker/index';
import type { Locking } from '#background/connections/connections-handlers';
import type { SellerFeature } from '#background/seller/index';
import type { RunExclusive } from '#background/serial-queue';

interface ErasureNeeds {
  readonly eraser: AdministrationStorage['eraser'];
  readonly permissions: Pick<Permissions, 'giveUpAll'>;
  readonly locking: Pick<Locking, 'reset'>;
  readonly applyRules: SellerFeature['applyRules'];
  /** Ends the ticket scripts of sites that are not stored any more. */
  readonly sitesChanged: () => Promise<void>;
  /** Lets open pages drop what they still show. */
  readonly publishErasure: () => void;
  readonly runExclusive: RunExclusive;
}

/**
 * Erases all that is stored, ends every ticket script, gives every origin back to the browser and empties open pages.
 * If the keys cannot be reset, everything else is erased all the same, and the failure is thrown at the end.
 */
export function createEraseEverything(needs: ErasureNeeds): () => Promise<null> {
  const { eraser, permissions, locking, applyRules, sitesChanged, publishErasure, runExclusive } =
    needs;

  return () =>
    runExclusive('connections', async () => {
      // Answers that are under way are not stored any more, as after a lock.
      const reset = locking.reset().catch((error: unknown) => {
        // Keys that cannot be read are not in use: no answer is under way with them.
        if (!isKeysUnreadable(error)) throw error;
      });
      await Promise.allSettled([reset]);
      await eraser.erase();
      try {
        await applyRules();
        // Before the origins are given back, while messages still reach their pages.
        await sitesChanged();
        await permissions.giveUpAll();
      } finally {
        publishErasure();
      }
      await reset;
      return null;
    });
}
