import { createApp, h, reactive } from 'vue';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { createCatalogue } from '#components/i18n';
import StandingTimeline from '#components/verifier/StandingTimeline.vue';
import en from '#locales/en.verifier.json';

const day = 24 * 60 * 60 * 1000;
const issuedAt = Date.UTC(2026, 10, 3);
const moments = {
  issuedAt,
  nextValidationAt: issuedAt + 14 * day,
  graceUntil: issuedAt + 31 * day,
};
const present = issuedAt + 10 * day;

let state: { asked: number | undefined };
let root: HTMLElement;
let unmount: () => void;

beforeEach(() => {
  state = reactive({ asked: undefined });
  root = document.createElement('div');
  document.body.append(root);
  const app = createApp({
    render: () =>
      h(StandingTimeline, {
        moments,
        present,
        asked: state.asked,
        unreached: false,
        onAsk: (moment: number | undefined) => {
          state.asked = moment;
        },
      }),
  }).use(createCatalogue(['en-GB'], { en }));
  app.mount(root);
  unmount = () => {
    app.unmount();
  };
});

afterEach(() => {
  unmount();
  root.remove();
});

test('the drawing’s moments stand beside it as a list', () => {
  const words = Array.from(root.querySelectorAll('li'), (item) => item.textContent.trim());
  expect(words[0]).toMatch(/^Issued: 3 November 2026/);
  expect(words[1]).toMatch(/^Checks in: 17 November 2026/);
  expect(words[2]).toMatch(/^Grace ends: 4 December 2026/);
  expect(words[3]).toMatch(/^Now: 13 November 2026/);
});

test('the handle is a slider that the arrows move and Escape brings back', async () => {
  const handle = page.getByRole('slider', { name: 'And at this time?' });
  (handle.element() as SVGElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(state.asked).toBeGreaterThan(present);
  await expect.element(handle).toHaveAttribute('aria-valuetext', expect.stringMatching(/^At /));
  await userEvent.keyboard('{Escape}');
  expect(state.asked).toBeUndefined();
  await expect.element(handle).toHaveAttribute('aria-valuetext', expect.stringMatching(/^Now /));
});

test('pressing the line takes the handle there', async () => {
  const line = root.querySelector('svg');
  if (line === null) throw new Error('There is no line.');
  await userEvent.click(line, { position: { x: line.clientWidth - 12, y: 52 } });
  expect(state.asked).toBeGreaterThan(moments.graceUntil);
  await page.getByRole('button', { name: 'Back to now' }).click();
  expect(state.asked).toBeUndefined();
});

test('a time can be typed, in UTC', async () => {
  const field = root.querySelector<HTMLInputElement>('input[type=datetime-local]');
  if (field === null) throw new Error('There is no field.');
  await userEvent.fill(field, '2026-11-20T12:00:00');
  field.dispatchEvent(new Event('change'));
  expect(state.asked).toBe(Date.UTC(2026, 10, 20, 12));
});
