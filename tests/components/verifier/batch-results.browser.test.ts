import { createPinia } from 'pinia';
import { type App, createApp } from 'vue';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';

import { createCatalogue } from '#components/i18n';
import BatchResults from '#components/verifier/batch/BatchResults.vue';
import en from '#locales/en.verifier.json';
import { clockPort, saveFilePort } from '#stores/ports';
import { maxInVain, useBatch } from '#stores/verifier/batch';
import { clockMemoryPort, keyRingPort, verifyPort } from '#stores/verifier/ports';
import { createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';

let app: App | undefined;
afterEach(() => app?.unmount());

test('a batch that no pinned key verifies says why it stopped, and goes on', async () => {
  const pinia = createPinia();
  const summary = { standing: 'unverified', failed: [], warned: [], triedInVain: maxInVain };
  document.body.replaceChildren(document.createElement('div'));
  app = createApp(BatchResults)
    .use(pinia)
    .use(createCatalogue(['en-GB'], { en }))
    .provide(clockPort, () => Date.now())
    .provide(saveFilePort, () => undefined)
    .provide(keyRingPort, createMemoryKeyRing())
    .provide(clockMemoryPort, {
      note: (now) => Promise.resolve(now),
      reset: () => Promise.resolve(),
    })
    .provide(verifyPort, {
      size: 1,
      ask: (question) =>
        Promise.resolve(
          (question.ask === 'inspect-many' ? question.sources.map(() => summary) : []) as never,
        ),
    });
  app.mount(document.body.firstElementChild ?? document.body);
  const files = Array.from({ length: 100 }, (_, at) => {
    const name = `customer-${String(at)}.json`;
    return { name, file: new File(['{}'], name) };
  });
  const batch = useBatch(pinia);
  await batch.openFiles(files, { now: Date.now(), keys: [], expected: {}, unreached: false });

  await expect.element(page.getByRole('heading', { name: 'Stopped' })).toBeVisible();
  const notice = document.querySelector('[role=alert]')?.textContent;
  expect(notice).toContain('Tried 100,000 times');
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect.element(page.getByText('100 documents', { exact: true }).first()).toBeVisible();
  expect(document.querySelector('[role=alert]')).toBeNull();
});
