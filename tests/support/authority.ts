import type { Locator, Page } from '@playwright/test';

import type { Fault } from '#sandbox/authority/faults';
import { test as base } from '#tests/support/extension';
import { type Rig, startRig } from '#tests/sandbox/authority/rig';

export interface AuthorityEntry {
  readonly name: string;
  readonly address: string;
  readonly kind?: 'live' | 'test';
  readonly products?: string;
  readonly controlToken?: string;
  /** Labels of pinned keys to tie to it. */
  readonly keys?: readonly string[];
}

/** Fills the options page in as a person does. The origin must have been granted before. */
export async function addAuthority(options: Page, entry: AuthorityEntry): Promise<void> {
  await options.getByRole('button', { name: 'Add authority' }).click();
  const form = options.getByRole('form', { name: 'New authority' });
  await form.getByLabel('Authority name').fill(entry.name);
  await form.getByLabel('Authority address').fill(entry.address);
  await form.getByRole('radio', { name: entry.kind === 'live' ? 'Live' : 'Test' }).check();
  if (entry.products !== undefined)
    await form.getByLabel('Only for these product slugs').fill(entry.products);
  if (entry.controlToken !== undefined)
    await form.getByLabel('Control token').fill(entry.controlToken);
  for (const key of entry.keys ?? []) await form.getByRole('checkbox', { name: key }).check();
  await form.getByRole('button', { name: 'Save authority' }).click();
  await options.getByRole('heading', { name: entry.name, exact: true }).waitFor();
}

/** Pins a key as one of a test authority. */
export async function pinTestKey(page: Page, publicKey: string, label = 'Sandbox'): Promise<void> {
  await page.getByLabel('Public key').fill(publicKey);
  await page.getByRole('button', { name: 'Pin key' }).click();
  await page.getByLabel('Label').fill(label);
  await page.getByRole('radio', { name: 'Test' }).check();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText(label, { exact: true }).first().waitFor();
}

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
  authority: Rig & { befall(kind: Fault['kind']): Promise<void> };
  /** The verifier, with the authority's key pinned and the authority set up as a test one. */
  verifier: Page;
}

export const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  authority: async ({}, use) => {
    const rig = await startRig();
    const befall = async (kind: Fault['kind']): Promise<void> => {
      await rig.control('faults', { kind });
    };
    let up = true;
    const close = async (): Promise<void> => {
      if (up) await rig.close();
      up = false;
    };
    await use({ ...rig, befall, close });
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
