import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import UndoBar from '#components/ui/UndoBar.vue';
import KeyPanel from '#components/verifier/keys/KeyPanel.vue';
import verifier from '#locales/en/verifier.json';
import { useVerifierKeys } from '#stores/verifier/index';
import { keyRingPort } from '#stores/verifier/ports';
import { mounting } from '#tests/components/mounted';
import { pinned } from '#tests/core/license/documents';
import { signer } from '#tests/core/license/inspect/inspecting';
import { createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';

test.each(['Revoke', 'Remove'])('after the undo of %s the key has the focus', async (action) => {
  mounting(
    defineComponent(() => {
      void useVerifierKeys().load();
      return () => [h(KeyPanel), h(UndoBar)];
    }),
    {
      script: {},
      messages: verifier,
      ports: (app) => app.provide(keyRingPort, createMemoryKeyRing([pinned(signer)])),
    },
  );
  const key = page.getByText('Main key', { exact: true });
  await key.click();
  const summary = key.element().closest('summary');
  await page.getByRole('button', { name: action, exact: true }).click();
  if (action === 'Revoke') {
    await expect.element(page.getByText('Revoked', { exact: true })).toBeVisible();
    // Far below its heading, which the page must not scroll to.
    expect(document.activeElement?.textContent.trim()).toBe(verifier.verifier.keys.keep);
    expect(summary?.parentElement?.contains(document.activeElement)).toBe(true);
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => document.activeElement?.tagName).toBe('SUMMARY');
  expect(document.activeElement?.textContent).toContain('Main key');
  expect(document.activeElement?.textContent).not.toContain('Revoked');
});
