import { createApp, h, nextTick, reactive } from 'vue';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { createCatalogue } from '#components/i18n';
import StandingTimeline from '#components/verifier/StandingTimeline.vue';
import type { Moments } from '#components/verifier/timeline';
import en from '#locales/en/verifier.json';

const day = 24 * 60 * 60 * 1000;
const issuedAt = Date.UTC(2026, 10, 3);
const moments = {
  issuedAt,
  nextValidationAt: issuedAt + 14 * day,
  graceUntil: issuedAt + 31 * day,
};
const present = issuedAt + 10 * day;

let state: {
  chosenMoment: number | undefined;
  refusedAt: number | undefined;
  moments: Moments;
  present: number;
};
let root: HTMLElement;
let unmount: () => void;

beforeEach(() => {
  state = reactive({ chosenMoment: undefined, refusedAt: undefined, moments, present });
  root = document.createElement('div');
  document.body.append(root);
  const app = createApp({
    render: () =>
      h(StandingTimeline, {
        moments: state.moments,
        refusedAt: state.refusedAt,
        present: state.present,
        chosenMoment: state.chosenMoment,
        unreached: false,
        onChoose: (moment: number | undefined) => {
          state.chosenMoment = moment;
        },
      }),
  }).use(createCatalogue('en-GB', en));
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
  const texts = Array.from(root.querySelectorAll('li'), (item) => item.textContent.trim());
  expect(texts[0]).toMatch(/^Issued: 3 Nov 2026/);
  expect(texts[1]).toMatch(/^Checks in: 17 Nov 2026/);
  expect(texts[2]).toMatch(/^Grace ends: 4 Dec 2026/);
  expect(texts[3]).toMatch(/^Now: 13 November 2026/);
});

test('the handle is a slider that the arrows move and Escape brings back', async () => {
  const handle = page.getByRole('slider', { name: 'And at this time?' });
  (handle.element() as SVGElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  // A hundredth of the drawn line, rounded down to a span that people count in.
  expect(state.chosenMoment).toBe(present + day / 4);
  await expect.element(handle).toHaveAttribute('aria-valuetext', expect.stringMatching(/^At /));
  await userEvent.keyboard('{Escape}');
  expect(state.chosenMoment).toBeUndefined();
  await expect.element(handle).toHaveAttribute('aria-valuetext', expect.stringMatching(/^Now /));
});

test('pressing the line takes the handle there', async () => {
  const line = root.querySelector('svg');
  if (line === null) throw new Error('There is no line.');
  await userEvent.click(line, { position: { x: line.clientWidth - 12, y: 52 } });
  expect(state.chosenMoment).toBeGreaterThan(moments.graceUntil);
  await page.getByRole('button', { name: 'Back to now' }).click();
  expect(state.chosenMoment).toBeUndefined();
});

test('a time can be typed, in UTC', async () => {
  const field = root.querySelector<HTMLInputElement>('input[type=datetime-local]');
  if (field === null) throw new Error('There is no field.');
  await userEvent.fill(field, '2026-11-20T12:00:00');
  field.dispatchEvent(new Event('change'));
  expect(state.chosenMoment).toBe(Date.UTC(2026, 10, 20, 12));
});

test('a time that is typed by the keyboard is asked about once it is whole', async () => {
  const field = root.querySelector<HTMLInputElement>('input[type=datetime-local]');
  if (field === null) throw new Error('There is no field.');
  field.focus();
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  const typed = Date.parse(`${field.value}Z`);
  expect(typed).not.toBe(present);
  expect(state.chosenMoment).toBeUndefined();
  state.present += 60_000;
  await nextTick();
  await userEvent.keyboard('{Enter}');
  expect(state.chosenMoment).toBe(typed);
});

/** Returns an element's box; that of a line has no width of its own and is given its stroke's. */
function boxOf(element: Element): DOMRect {
  const { x, y, width, height } = element.getBoundingClientRect();
  return width > 0 ? new DOMRect(x, y, width, height) : new DOMRect(x - 1, y, 2, height);
}

/** Tells whether two boxes share more than a pixel. */
function overlap(one: DOMRect, other: DOMRect): boolean {
  return (
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1
  );
}

/** Lists the texts of the drawing that lie on another text, or on a mark or the handle. */
function meetings(): string[] {
  const texts = [...root.querySelectorAll('svg text')];
  const marks = [...root.querySelectorAll('svg .tick, svg .present, svg .handle circle')];
  return texts.flatMap((text, at) =>
    [...texts.slice(at + 1), ...marks]
      .filter((other) => overlap(boxOf(text), boxOf(other)))
      .map(
        (other) => `${text.textContent.trim()} on ${other.textContent.trim() || other.outerHTML}`,
      ),
  );
}

const widths = [264, 328, 440, 720];
const handles = [0, 3, 6, 8, 13, 14, 20, 25, 31, 60];

test.each(widths.flatMap((width) => handles.map((days) => [width, days] as const)))(
  'no text meets another, a mark or the handle: %i px wide, %i days after the issue',
  async (width, days) => {
    root.style.width = `${String(width)}px`;
    state.chosenMoment = issuedAt + days * day;
    const svg = root.querySelector('svg');
    const text = root.querySelector('.handle text');
    if (svg === null || text === null) throw new Error('There is no handle.');
    await expect.poll(() => svg.getAttribute('viewBox')).toMatch(`0 0 ${String(width)} `);
    await expect.poll(() => text.textContent).toContain('At ');
    await expect.poll(meetings).toEqual([]);
    const board = boxOf(svg);
    for (const label of svg.querySelectorAll('text')) {
      expect(boxOf(label).left).toBeGreaterThan(board.left - 1);
      expect(boxOf(label).right).toBeLessThan(board.right + 1);
    }
  },
);

test('marks that lie close together keep their labels apart', async () => {
  root.style.width = '440px';
  state.moments = {
    issuedAt: present - 60_000,
    nextValidationAt: present + day,
    graceUntil: present + day + 3_600_000,
  };
  await expect.poll(() => root.querySelector('svg')?.getAttribute('viewBox')).toMatch(/^0 0 440 /);
  await expect.poll(meetings).toEqual([]);
});

test('from a refusal on the line says refused, and nothing else', async () => {
  state.refusedAt = issuedAt + 9 * day;
  await expect.poll(() => root.querySelector('svg')?.textContent).toContain('refused');
  const names = [...root.querySelectorAll('svg .name')].map(({ textContent }) =>
    textContent.trim(),
  );
  expect(names).toEqual(['active', 'refused']);
  expect(root.querySelector('ul')?.textContent).toContain('Refused: 12 Nov 2026');
});

test('where the page runs from right to left, so does time, for pointer and keyboard as well', async () => {
  root.style.width = '600px';
  root.dir = 'rtl';
  const svg = root.querySelector('svg');
  await expect.poll(() => svg?.getAttribute('viewBox')).toMatch(/^0 0 600 /);
  await expect.poll(meetings).toEqual([]);
  const [issued = 0, due = 0, ends = 0] = [...root.querySelectorAll('svg .tick')].map(
    (tick) => boxOf(tick).left,
  );
  expect(issued).toBeGreaterThan(due);
  expect(due).toBeGreaterThan(ends);
  if (svg === null) throw new Error('There is no line.');
  await userEvent.click(svg, { position: { x: 12, y: 52 } });
  expect(state.chosenMoment).toBeGreaterThan(moments.graceUntil);
  const { chosenMoment = 0 } = state;
  page.getByRole('slider').element().focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(state.chosenMoment).toBeLessThan(chosenMoment);
});

test('a narrow line has its moments in a list under it, with no label on the drawing', async () => {
  root.style.width = '328px';
  state.refusedAt = issuedAt + 9 * day;
  state.chosenMoment = issuedAt + 12 * day;
  const list = root.querySelector('ul');
  await expect.poll(() => list?.className).toBe('timeline-moments');
  expect(root.querySelector('svg .label')).toBeNull();
  const heights = (): number[] =>
    [...root.querySelectorAll('.timeline-moments li')].map((each) => boxOf(each).height);
  expect(heights()).toHaveLength(5);
  // One line each.
  await expect.poll(() => Math.max(...heights())).toBeLessThan(24);
});

test('the handle leaves the right button and the browser’s own shortcuts alone', async () => {
  const board = page.elementLocator(root.querySelector('svg') ?? document.body);
  await board.click({ button: 'right' });
  page.getByRole('slider').element().focus();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  expect(state.chosenMoment).toBeUndefined();
  await board.click();
  expect(state.chosenMoment).toBeDefined();
});
