import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import KeyPanel from '#components/verifier/keys/KeyPanel.vue';
import verifier from '#locales/en.verifier.json';
import { useVerifierKeys } from '#stores/verifier/keys';
import { keyRingPort } from '#stores/verifier/ports';
import { mounting } from '#tests/components/mounted';
import { pinned } from '#tests/core/license/documents';
import { signer } from '#tests/core/license/inspect/inspecting';
import { createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';
import { defineComponent, h } from 'vue';

test.each([320, 360, 640])('the days of a key do not cover each other at %d px', async (width) => {
  await page.viewport(width, 740);
  mounting(
    defineComponent(() => {
      void useVerifierKeys().load();
      return () => h(KeyPanel);
    }),
    {
      script: {},
      messages: verifier,
      ports: (app) => app.provide(keyRingPort, createMemoryKeyRing([pinned(signer)])),
    },
  );
  await page.getByText('Main key', { exact: true }).click();
  const from = page.getByLabelText('Signs from');
  await expect.element(from).toBeVisible();
  const [one, other] = [from, page.getByLabelText('Signs until')].map((field) =>
    field.element().getBoundingClientRect(),
  );
  if (one === undefined || other === undefined) throw new Error('A day has no field.');
  expect(one.right <= other.left || one.bottom <= other.top).toBe(true);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
