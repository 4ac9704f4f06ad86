import { createPublicKey } from 'node:crypto';

import type { Locator, Page } from '@playwright/test';

import { hexOf } from '#core/encoding/index';
import { type PinnedKey, fingerprintOf } from '#core/keys/index';
import type { AuthorityDraft } from '#messaging/topics/authority';
import type { InjectedFault } from '#sandbox/authority/faults';
import { addAuthority, pinTestKey } from '#scripts/running/agent';
import { test as base, type RunningExtension } from '#tests/support/extension';
import { withQuietPage } from '#tests/support/quiet-page';
import { addToStoredList } from '#tests/support/stored-lists';
import { type Rig, startRig } from '#tests/sandbox/authority/authority-harness';

/** Downloads a sample file of the sandbox; from then on the authority knows its installation. */
export async function sampleFile(authority: Rig, name: string): Promise<string> {
  const response = await fetch(`${authority.origin}/samples/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

/** Asks about what is open, up to the dialog, and sends it. */
export async function askAuthority(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Ask the license server' }).click();
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
    const { origin: address, publicKey } = authority;
    await addAuthorityQuietly(extension, { name: 'Sandbox', address, kind: 'test' });
    await pinKeyQuietly(extension, publicKey.pem, { kind: 'test', authority: address });
    await use(await extension.open('verifier.html'));
  },
});

/** Adds a license authority, as the form of the options page does. */
export async function addAuthorityQuietly(
  { now }: Pick<RunningExtension, 'now'>,
  draft: Omit<AuthorityDraft, 'products'> & Partial<AuthorityDraft>,
): Promise<void> {
  await withQuietPage(now, async ({ permit, ask }) => {
    await permit(draft.address);
    const saved = await ask('authorities.save', { products: [], ...draft });
    if (!saved.ok) throw new Error(`The license server was not saved: ${saved.fault.kind}`);
  });
}

/** Pins a key in PEM, as the verifier's form does. */
export async function pinKeyQuietly(
  { now }: Pick<RunningExtension, 'now'>,
  pem: string,
  fields: Partial<PinnedKey> = { kind: 'live' },
): Promise<void> {
  const spki = createPublicKey(pem).export({ format: 'der', type: 'spki' });
  const raw = spki.subarray(-32);
  const fingerprint = fingerprintOf(raw);
  const key = { id: fingerprint, label: 'Sandbox', raw: hexOf(raw), fingerprint, revoked: false };
  await addToStoredList(now.worker, 'pinned-keys', [{ ...key, ...fields }]);
}

/** Sets up what the fixture sets up, as an agent does: by the forms of two pages. Opens the verifier. */
export async function setUpByForms(
  extension: Pick<RunningExtension, 'open'>,
  authority: Rig,
): Promise<Page> {
  const page = await extension.open('verifier.html');
  await pinTestKey(page, authority.publicKey.pem);
  const options = await extension.open('options.html');
  await addAuthority(options, {
    name: 'Sandbox',
    address: authority.origin,
    keys: ['Sandbox'],
  });
  await options.close();
  await page.reload();
  return page;
}

export { expect } from '@playwright/test';
