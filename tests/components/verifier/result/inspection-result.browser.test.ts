import { createPinia } from 'pinia';
import { afterEach, expect, test } from 'vitest';
import { createApp, h, nextTick } from 'vue';

import { createCatalogue } from '#components/i18n';
import InspectionResult from '#components/verifier/result/InspectionResult.vue';
import base from '#locales/en/base.json';
import verifier from '#locales/en/verifier.json';
import { createClockMemory, createKeyRing } from '#adapters/storage/page/verifier-stores';
import { replyTemplatesPort } from '#stores/reply-templates/ports';
import { clockPort, copyPort, saveFilePort } from '#stores/ports';
import { clockMemoryPort, keyRingPort, verifyPort } from '#stores/verifier/ports';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, NOW, token } from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';

let unmount: (() => void) | undefined;
afterEach(() => unmount?.());

test('the sentence is drawn in a frame of its own, before the reasons', async () => {
  const both = await inspection([token(signer, LICENSE_CLAIMS), token(signer, CERTIFICATE_CLAIMS)]);
  const page = document.createElement('div');
  document.body.append(page);
  const app = createApp(() =>
    h(InspectionResult, {
      inspection: both,
      name: 'a.lic',
      judgedAt: NOW,
      chosenMoment: undefined,
      busy: false,
      folded: false,
      purchaseCode: undefined,
    }),
  )
    .use(createPinia())
    .use(createCatalogue('en-US', { ...base, ...verifier }))
    .provide(clockPort, () => NOW)
    .provide(replyTemplatesPort, null)
    .provide(copyPort, () => Promise.resolve(true))
    .provide(saveFilePort, () => undefined)
    .provide(clockMemoryPort, createClockMemory())
    .provide(keyRingPort, createKeyRing())
    .provide(verifyPort, { size: 1, ask: () => Promise.reject(new Error('not asked')) });
  app.mount(page);
  unmount = () => {
    app.unmount();
    page.remove();
  };

  await nextTick();
  const checks = (): number => page.querySelectorAll('[data-check]').length;
  const sentence = page.querySelector('[data-standing="activated"]');
  expect(sentence?.getAttribute('aria-label')).toBe('a.lic');
  expect(checks()).toBe(0);
  await expect.poll(checks).toBe(both.checks.length);
  // The sentence was not drawn anew.
  expect(page.querySelector('[data-standing]')).toBe(sentence);
});
