import { createPinia } from 'pinia';
import { type App, createApp } from 'vue';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';

import { createCatalogue } from '#components/i18n';
import KeyPanel from '#components/verifier/keys/KeyPanel.vue';
import en from '#locales/en/verifier.json';
import { clockPort, saveFilePort } from '#stores/ports';
import { useVerifierKeys } from '#stores/verifier/index';
import type { UnusedKeys } from '#core/key-ring/index';
import { keyRingPort, verifyPort } from '#stores/verifier/ports';
import { createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';

let app: App | undefined;
afterEach(() => app?.unmount());

/** Shows the key panel over a ring that leaves these keys unused. */
async function panel(left: UnusedKeys): Promise<void> {
  const pinia = createPinia();
  const ring = createMemoryKeyRing();
  ring.left = left;
  document.body.replaceChildren(document.createElement('div'));
  app = createApp(KeyPanel)
    .use(pinia)
    .use(createCatalogue('en-GB', en))
    .provide(clockPort, () => Date.now())
    .provide(keyRingPort, ring)
    .provide(verifyPort, { size: 1, ask: () => Promise.reject(new Error('not asked')) })
    .provide(saveFilePort, () => undefined);
  app.mount(document.body.firstElementChild ?? document.body);
  await useVerifierKeys(pinia).load();
}

const newer = page.getByText(/^A newer version of Counterfoil stored some of the pinned keys/);
const unreadable = page.getByText(/could not be read and was set aside/);
const dismiss = page.getByRole('button', { name: 'Remove what was set aside' });

test('a ring that is used whole shows no notice', async () => {
  await panel({ unreadable: 0, newer: false });
  await expect.element(page.getByRole('heading', { name: 'Pinned keys' })).toBeVisible();
  expect(document.querySelector('.notice')).toBeNull();
});

test('keys of a newer version are named, and nothing is offered but an update', async () => {
  await panel({ unreadable: 0, newer: true });
  await expect.element(newer).toBeVisible();
  expect(dismiss.query()).toBeNull();
});

test('an unreadable key is named until the agent removes it', async () => {
  await panel({ unreadable: 1, newer: true });
  await expect.element(unreadable).toBeVisible();
  await dismiss.click();
  await expect.element(unreadable).not.toBeInTheDocument();
  await expect.element(newer).toBeVisible();
});

test('several unreadable keys are counted', async () => {
  await panel({ unreadable: 3, newer: false });
  await expect
    .element(page.getByText(/^3 pinned keys could not be read and were set aside/))
    .toBeVisible();
});
