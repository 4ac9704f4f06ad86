import type { Page } from '@playwright/test';

import type { Base } from '#sandbox/seller/deployments';
import { test as base } from '#tests/support/extension';
import { addConnectionQuietly, type QuietPage, withQuietPage } from '#tests/support/quiet-page';
import type { TestSandbox } from '#tests/support/sandbox';

interface Fixtures {
  /** Sets up connections as `connectQuietly` does. */
  connect: (...bases: Base[]) => Promise<void>;
  /** Sets them up, and opens the popup. */
  connected: (...bases: Base[]) => Promise<Page>;
}

/** Sets up connections to the sandbox, in that order, each named like its base address. */
export async function connectQuietly(
  quiet: QuietPage,
  sandbox: TestSandbox,
  bases: readonly Base[],
): Promise<void> {
  for (const base of bases)
    await addConnectionQuietly(quiet, sandbox.connection(base, base.replace(/^.*\//, '')));
  // The requests that the set-up made are no test's subject.
  await sandbox.reset();
}

/** Extends `test` by connections to the sandbox. */
export const test = base.extend<Fixtures>({
  connect: async ({ extension, sandbox }, use) => {
    await use((...bases) =>
      withQuietPage(extension.now, (quiet) => connectQuietly(quiet, sandbox, bases)),
    );
  },

  connected: async ({ connect, extension }, use) => {
    await use(async (...bases) => {
      await connect(...bases);
      return extension.open('popup.html');
    });
  },
});

export { expect } from '@playwright/test';
