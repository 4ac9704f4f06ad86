import type { Page } from '@playwright/test';

import type { Base } from '#sandbox/seller/deployments';
import { test as base } from '#tests/support/extension';
import { addConnectionQuietly, withQuietPage } from '#tests/support/quiet-page';

/** `test` with connections to the sandbox set up, each named like its base address. */
export const test = base.extend<{ connected: (...bases: Base[]) => Promise<Page> }>({
  /** Sets them up, in that order, and opens the popup. */
  connected: async ({ extension, sandbox }, use) => {
    await use(async (...bases) => {
      await withQuietPage(extension.now, async (quiet) => {
        for (const base of bases)
          await addConnectionQuietly(quiet, sandbox.connection(base, base.replace(/^.*\//, '')));
      });
      // The requests that the set-up made are no test's subject.
      await sandbox.reset();
      return extension.open('popup.html');
    });
  },
});

export { expect } from '@playwright/test';
