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
import { clockMemoryPort, homePort, keyRingPort, verifyPort } from '#stores/verifier/ports';
import type { Inspection } from '#core/license/index';
import {
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
} from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';

let unmount: (() => void) | undefined;
afterEach(() => unmount?.());

/** Shows what an inspection found, on the extension's page. */
function show(found: Inspection, folded: boolean): HTMLElement {
  const page = document.createElement('div');
  document.body.append(page);
  const app = createApp(() =>
    h(InspectionResult, {
      inspection: found,
      name: 'a.lic',
      judgedAt: NOW,
      chosenMoment: undefined,
      busy: false,
      folded,
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
    .provide(verifyPort, { size: 1, ask: () => Promise.reject(new Error('not asked')) })
    .provide(homePort, { name: 'extension', checkCode: () => undefined });
  app.mount(page);
  unmount = () => {
    app.unmount();
    page.remove();
  };
  return page;
}

test('the sentence is drawn in a frame of its own, before the reasons', async () => {
  const both = await inspection([token(signer, LICENSE_CLAIMS), token(signer, CERTIFICATE_CLAIMS)]);
  const page = show(both, false);

  await nextTick();
  const checks = (): number => page.querySelectorAll('[data-check]').length;
  const sentence = page.querySelector('[data-standing="activated"]');
  expect(sentence?.getAttribute('aria-label')).toBe('a.lic');
  expect(checks()).toBe(0);
  await expect.poll(checks).toBe(both.checks.length);
  // The sentence was not drawn anew.
  expect(page.querySelector('[data-standing]')).toBe(sentence);
});

test('one of several results offers to look up its purchase where its details are', async () => {
  const named = token(signer, {
    ...LICENSE_CLAIMS,
    purchase_code: 'cd2adc96-59f5-72e3-a62a-c13f0282fc0f',
  });
  const found = await inspection([named, token(signer, CERTIFICATE_CLAIMS)]);
  const offers = (page: HTMLElement): number => page.querySelectorAll('.purchase-offer').length;
  const page = show(found, true);
  await expect.poll(() => offers(page)).toBe(1);
  expect(page.querySelector('details .purchase-offer')).not.toBeNull();
  unmount?.();
  expect(offers(show(found, false))).toBe(1);
});

test('what a license answers with yes or no stands in words, and a text that says so as it is', async () => {
  const claims = { ...LICENSE_CLAIMS, purchase_code: true, wide: false, said: 'true' };
  const page = show(await inspection([token(signer, claims)]), false);
  const rows = (): (string | null)[][] =>
    [...page.querySelectorAll('.claims tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
  await expect.poll(rows).toContainEqual(['Purchase code', 'Yes']);
  expect(rows()).toContainEqual(['wide', 'No']);
  expect(rows()).toContainEqual(['said', 'true']);
});

test('the place of a document in its file hides no character', async () => {
  const license = token(signer, LICENSE_CLAIMS);
  const page = show(await inspection([JSON.stringify({ '\u202Eelif': { license } })]), false);
  await expect.poll(() => page.textContent).toContain('⟨U+202E⟩elif.license');
  expect(page.textContent).not.toContain('\u202E');
});

test('what holds of license and certificate alike is said once, and so is what the customer is told', async () => {
  const both = [token(signer, LICENSE_CLAIMS), token(signer, CERTIFICATE_CLAIMS)];
  const page = show(await inspection(both, { keys: [pinned(signer, { revoked: true })] }), false);
  await expect.poll(() => page.querySelectorAll('[data-check]').length).toBeGreaterThan(3);
  const times = (words: string): number => page.textContent.split(words).length - 1;
  expect(times('Signed by a key that is not valid for this document')).toBe(1);
  expect(page.querySelectorAll('[data-outcome="fail"]')).toHaveLength(3);
  expect(times('Tell the customer:')).toBe(1);
});
