import { createPinia } from 'pinia';
import { afterEach, expect, test } from 'vitest';
import { createApp, h, nextTick, shallowRef } from 'vue';

import { createCatalogue } from '#components/i18n';
import NextStep from '#components/verifier/result/NextStep.vue';
import type { Inspection } from '#core/license/index';
import verifier from '#locales/en/verifier.json';
import { clockPort } from '#stores/ports';
import { clockMemoryPort, keyRingPort, verifyPort } from '#stores/verifier/ports';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, token } from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';
import { createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';

let unmount: (() => void) | undefined;
afterEach(() => unmount?.());

test('a clock that is right again leaves the focus on its result', async () => {
  const judged = await inspection([
    token(signer, LICENSE_CLAIMS),
    token(signer, CERTIFICATE_CLAIMS),
  ]);
  const shown = shallowRef<Inspection>({
    ...judged,
    checks: [...judged.checks, { id: 'clock', outcome: 'warn', reason: 'turned-back', data: {} }],
  });
  const app = createApp(() =>
    h('section', { tabindex: -1 }, [
      h(NextStep, { inspection: shown.value, purchaseCode: undefined }),
    ]),
  )
    .use(createPinia())
    .use(createCatalogue('en-US', verifier))
    .provide(clockPort, () => 0)
    .provide(clockMemoryPort, {
      note: (now) => Promise.resolve(now),
      reset: () => Promise.resolve(),
    })
    .provide(keyRingPort, createMemoryKeyRing())
    .provide(verifyPort, { size: 1, ask: () => Promise.reject(new Error('not asked')) });
  const page = document.createElement('div');
  document.body.append(page);
  app.mount(page);
  unmount = () => {
    app.unmount();
    page.remove();
  };
  page.querySelector('button')?.focus();
  expect(document.activeElement?.textContent.trim()).toBe('My clock was wrong');
  shown.value = judged;
  await nextTick();
  expect(page.querySelector('button')).toBeNull();
  expect(document.activeElement).toBe(page.querySelector('section'));
});
