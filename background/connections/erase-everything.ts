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
  /** Ends the ticket scripts of sites that are no longer stored. */
  readonly sitesChanged: () => Promise<void>;
  /** Makes open pages discard what they still show. */
  readonly publishErasure: () => void;
  readonly runExclusive: RunExclusive;
}

/**
 * Creates a function that erases all stored data, ends every ticket script, gives up every origin and empties open
 * pages. If the keys cannot be reset, everything else is still erased, and the failure is thrown at the end.
 */
export function createEraseEverything(needs: ErasureNeeds): () => Promise<null> {
  const { eraser, permissions, locking, applyRules, sitesChanged, publishErasure, runExclusive } =
    needs;

  return () =>
    runExclusive('connections', async () => {
      // As after a lock, answers that are still outstanding are not stored.
      const reset = locking.reset().catch((error: unknown) => {
        // Unreadable keys are not in use, so no answer depends on them.
        if (!isKeysUnreadable(error)) throw error;
      });
      await Promise.allSettled([reset]);
      await eraser.erase();
      try {
        await applyRules();
        // This comes before giving up the origins, while messages still reach their pages.
        await sitesChanged();
        await permissions.giveUpAll();
      } finally {
        publishErasure();
      }
      await reset;
      return null;
    });
}
