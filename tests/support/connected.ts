import type { Page } from '@playwright/test';

import type { Base } from '#sandbox/seller/deployments';
import { addConnection } from '#scripts/agent';
import { test as base } from '#tests/support/extension';

/** `test` with connections to the sandbox set up through the options page, each named like its base address. */
export const test = base.extend<{ connected: (...bases: Base[]) => Promise<Page> }>({
  /** Sets them up, in that order, and opens the popup. */
  connected: async ({ extension, sandbox }, use) => {
    await use(async (...bases) => {
      const options = await extension.open('options.html');
      for (const base of bases) {
        await addConnection(options, sandbox.connection(base, base.replace(/^.*\//, '')));
      }
      await options.close();
      // The requests that the set-up made are no test's subject.
      await sandbox.reset();
      return extension.open('popup.html');
    });
  },
});

export { expect } from '@playwright/test';
