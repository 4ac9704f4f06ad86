import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import AskAuthority from '#components/authority/AskAuthority.vue';
import { authorityViews } from '#components/authority/views';
import InspectionResult from '#components/verifier/result/InspectionResult.vue';
import authority from '#locales/en/authority.json';
import reply from '#locales/en/reply.json';
import verifier from '#locales/en/verifier.json';
import {
  type Answered,
  provenAnswerOf,
  useAuthorityAnswers,
} from '#stores/verifier/authority-answers';
import { clockMemoryPort } from '#stores/verifier/ports';
import { mounting, type PageHarness } from '#tests/components/mounted';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, NOW, token } from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';

const words = 'The purchase was refunded.';

/**
 * Shows a bundle for another domain than the ticket's, which the authority has refused.
 * @param last how the last question about it ended
 */
async function refused(last?: Answered['outcome']): Promise<PageHarness> {
  const expected = { domain: 'another.example' };
  const bundle = [token(signer, LICENSE_CLAIMS), token(signer, CERTIFICATE_CLAIMS)];
  const before = await inspection(bundle, { expected });
  const answered = {
    authority: {
      id: 'a',
      name: 'Sandbox',
      address: 'https://authority.example',
      products: [],
      kind: 'live' as const,
      permitted: true,
    },
    at: NOW,
    before,
    outcome: { kind: 'refused' as const, refusal: { status: 403, msg: words } },
  };
  const answer = provenAnswerOf(answered);
  const after = await inspection(bundle, {
    expected,
    answers: answer === undefined ? [] : [answer],
  });
  return mounting(InspectionResult, {
    script: { 'authorities.list': () => [] },
    props: {
      inspection: after,
      name: 'state.json',
      judgedAt: NOW,
      chosenMoment: undefined,
      busy: false,
      folded: true,
      purchaseCode: undefined,
    },
    messages: { ...verifier, ...authority, ...reply },
    ports: (app) => {
      app.provide(clockMemoryPort, {
        note: (moment) => Promise.resolve(moment),
        reset: () => Promise.resolve(),
      });
      app.provide(authorityViews, { ask: AskAuthority });
      const answers = app.runWithContext(useAuthorityAnswers);
      answers.note({ ...answered, after });
      if (last !== undefined) answers.note({ ...answered, before: after, outcome: last, after });
    },
  });
}

function times(part: string): number {
  return document.body.innerText.split(part).length - 1;
}

test('a refusal is said once: by the headline, and the answer shows what it changed', async () => {
  await refused();
  const answer = page.getByRole('region', { name: 'What does the license server say now?' });
  await expect.element(answer.getByRole('heading', { level: 4 })).toMatchTextContent(/HTTP 403/);
  expect(times(words)).toBe(1);
  expect(times('Refused by the license server')).toBe(1);
  expect(times('so there is no grace period')).toBe(1);
  const after = document.querySelector('[data-when="after"]');
  expect(after?.textContent).toContain('Refused');
  expect(after?.textContent).not.toContain('Wrong domain');
});

test('a copied refusal stands for itself and says its reason once', async () => {
  const { copied } = await refused();
  await page.getByRole('button', { name: 'Copy answer' }).click();
  await expect.poll(() => copied.length).toBe(1);
  const [text = ''] = copied;
  expect(text.split(words)).toHaveLength(2);
  expect(text.split('so there is no grace period')).toHaveLength(2);
  expect(text).toContain('Refused by the license server.');
  expect(text).toContain('HTTP 403');
  expect(text).toContain('Sandbox was asked at');
});

test('an outage after a refusal promises no grace', async () => {
  const { copied } = await refused({ kind: 'unavailable', fault: { kind: 'unreachable' } });
  const answer = page.getByRole('region', { name: 'What does the license server say now?' });
  await expect
    .element(answer.getByRole('heading', { level: 4 }))
    .toMatchTextContent('No answer from the license server.');
  expect(times('grace period')).toBe(times('so there is no grace period'));
  await page.getByRole('button', { name: 'Copy answer' }).click();
  await expect.poll(() => copied.length).toBe(1);
  expect(copied[0]).not.toContain('keeps running');
});
