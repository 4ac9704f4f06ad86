import type { Locator, Page } from '@playwright/test';

import type { InjectedFault } from '#sandbox/authority/faults';
import { addAuthority, pinTestKey } from '#scripts/agent';
import { test as base } from '#tests/support/extension';
import { type Rig, startRig } from '#tests/sandbox/authority/authority-harness';

/** A sample file of the sandbox; from its download on the authority knows its installation. */
export async function sampleFile(authority: Rig, name: string): Promise<string> {
  const response = await fetch(`${authority.origin}/samples/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

/** Asks about what is open, up to the dialog, and sends it. */
export async function askAuthority(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Ask the authority' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  const answer = page.locator('[data-authority-answer]');
  await answer.waitFor();
  return answer;
}

interface Fixtures {
  /** The real authority on a free port, over a database in memory. */
  authority: Rig & { injectFault(kind: InjectedFault['kind']): Promise<void> };
  /** The verifier, with the authority's key pinned and the authority set up as a test one. */
  verifier: Page;
}

export const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  authority: async ({}, use) => {
    const rig = await startRig();
    const injectFault = async (kind: InjectedFault['kind']): Promise<void> => {
      await rig.control('faults', { kind });
    };
    let up = true;
    const close = async (): Promise<void> => {
      if (up) await rig.close();
      up = false;
    };
    await use({ ...rig, injectFault, close });
    await close();
  },

  verifier: async ({ extension, authority }, use) => {
    const page = await extension.open('verifier.html');
    await pinTestKey(page, authority.publicKey.pem);
    const options = await extension.open('options.html');
    await addAuthority(options, {
      name: 'Sandbox',
      address: authority.origin,
      controlToken: authority.controlToken,
      keys: ['Sandbox'],
    });
    await options.close();
    await page.reload();
    await use(page);
  },
});

export { expect } from '@playwright/test';
