import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';

import InspectionResult from '#components/verifier/result/InspectionResult.vue';
import reply from '#locales/en/reply.json';
import verifier from '#locales/en/verifier.json';
import { clockMemoryPort } from '#stores/verifier/ports';
import { mounting, type PageHarness } from '#tests/components/mounted';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, NOW, token } from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';

/** Sentences of a language that is written from right to left. */
const askedAt = 'על {date}.';
const printed = askedAt;

beforeEach(() => {
  document.documentElement.dir = 'rtl';
});
afterEach(() => {
  document.documentElement.removeAttribute('dir');
});

/** Returns the exact times in the page's text that are not drawn from left to right. */
function reordered(): { found: number; wrong: string[] } {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const wrong: string[] = [];
  let found = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    for (const { 0: text, index } of (node.textContent ?? '').matchAll(
      /\d{4}-\d\d-\d\d(?: [\d:]+)? UTC/gu,
    )) {
      const leftOf = (at: number): number => {
        const range = document.createRange();
        range.setStart(node, index + at);
        range.setEnd(node, index + at + 1);
        return range.getBoundingClientRect().left;
      };
      if (node.parentElement?.checkVisibility() !== true) continue;
      found += 1;
      const [year, day, zone] = [leftOf(0), leftOf(8), leftOf(text.length - 3)];
      if (!(year < day && day < zone)) wrong.push(text);
    }
  }
  return { found, wrong };
}

async function result(): Promise<PageHarness> {
  await page.viewport(1200, 1000);
  return mounting(InspectionResult, {
    script: {},
    props: {
      inspection: await inspection([
        token(signer, LICENSE_CLAIMS),
        token(signer, CERTIFICATE_CLAIMS),
      ]),
      name: 'state.json',
      judgedAt: NOW,
      chosenMoment: NOW,
      busy: false,
      folded: false,
      purchaseCode: undefined,
    },
    messages: { ...reply, verifier: { ...verifier.verifier, askedAt, printed } },
    ports: (app) =>
      app.provide(clockMemoryPort, {
        note: (moment) => Promise.resolve(moment),
        reset: () => Promise.resolve(),
      }),
  });
}

test('an exact time keeps its order in the sentences of the verifier', async () => {
  await result();
  await expect.poll(() => reordered().found).toBeGreaterThan(4);
  expect(document.querySelector('.result-asked')?.textContent).toContain('על');
  expect(reordered().wrong).toEqual([]);
});

test('a report that is copied holds no isolate', async () => {
  const { copied } = await result();
  await page.getByRole('button', { name: 'Copy report' }).click();
  await expect.poll(() => copied[0]).toContain('UTC');
  expect(copied[0]).not.toMatch(/[\u2066-\u2069]/u);
});
