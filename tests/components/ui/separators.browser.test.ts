import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import CheckPanel from '#components/check/CheckPanel.vue';
import { mounting } from '#tests/components/mounted';
import {
  code,
  connection,
  day,
  genuine,
  now,
  otherCode,
  purchase,
} from '#tests/stores/check/samples';

/** Returns where the lines of an element's text begin: the first text of each line, generated text included. */
function lefts(element: Element | null): number[] {
  const range = document.createRange();
  range.selectNodeContents(element ?? document.body);
  return [...range.getClientRects()].map(({ left }) => Math.round(left));
}

test('a fact that goes to the next line leaves its separator with the one before it', () => {
  document.body.innerHTML =
    '<p style="width: 7ch"><span>12345</span><span class="fact">12345</span></p>';
  const [first, second] = [...document.querySelectorAll('span')];
  expect(second?.firstChild).not.toBeNull();
  const range = document.createRange();
  range.selectNodeContents(second?.firstChild ?? document.body);
  const [text] = [...range.getClientRects()];
  expect(text?.top).toBeGreaterThan(first?.getBoundingClientRect().bottom ?? Infinity);
  expect(Math.round(text?.left ?? NaN)).toBe(lefts(first ?? null)[0]);
});

test('how long ago a purchase was begins a line without the dot', async () => {
  await page.viewport(300, 700);
  mounting(CheckPanel, {
    script: {
      'connections.list': () => [connection()],
      check: (asked) => genuine(asked, purchase({ date: now - 500 * day })),
    },
  });
  await page.getByRole('textbox', { name: 'Purchase code' }).fill(code);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('16 months ago')).toBeVisible();
  const dd = document.querySelector<HTMLElement>('dd.dotted');
  if (dd === null) throw new Error('There is no date of purchase.');
  dd.style.width = '16ch';
  const ago = lefts(dd.querySelector('.muted'));
  expect(ago).toEqual([Math.round(dd.getBoundingClientRect().left)]);
  expect(dd.getBoundingClientRect().height).toBeGreaterThan(30);
});

test('in a page from right to left what is written from left to right is whole', async () => {
  await page.viewport(384, 700);
  document.documentElement.dir = 'rtl';
  mounting(CheckPanel, {
    script: { 'connections.list': () => [connection()], check: (asked) => genuine(asked) },
  });
  await page.getByRole('textbox', { name: 'Purchase code' }).fill(`${code}\n${otherCode}`);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Orbit CRM').first()).toBeVisible();
  const parts = [...document.querySelectorAll('.answer .dotted bdi')];
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) {
    const line = part.closest('.dotted')?.getBoundingClientRect();
    expect(part.getBoundingClientRect().right).toBeLessThanOrEqual((line?.right ?? 0) + 0.5);
  }
  document.documentElement.dir = '';
});
