import { createApp, h, reactive } from 'vue';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { createCatalogue } from '#components/i18n';
import DetailDialog from '#components/ui/DetailDialog.vue';
import undo from '#locales/en/undo.json';

interface State {
  open: boolean;
  closed: number;
  place?: { at: number; of: number };
  steps: number[];
  label: string;
  code?: boolean;
  hasStatus: boolean;
}
let state: State;
let unmount: () => void;

beforeEach(() => {
  state = reactive({ open: false, closed: 0, steps: [], label: 'One row', hasStatus: true });
  mount();
});

function mount(): void {
  const root = document.createElement('div');
  document.body.append(root);
  const app = createApp({
    render: () => [
      h(
        'button',
        {
          onClick: () => {
            state.open = true;
          },
        },
        'Show',
      ),
      h(
        DetailDialog,
        {
          open: state.open,
          label: state.label,
          code: state.code === true,
          position: state.place,
          onStep: (by: number) => state.steps.push(by),
          onClose: () => {
            state.open = false;
            state.closed += 1;
          },
        },
        {
          ...(state.hasStatus && { status: () => h('span', 'supported') }),
          default: () => h('p', 'All about it'),
        },
      ),
    ],
  }).use(createCatalogue('en-GB', undo));
  app.mount(root);
  unmount = () => {
    app.unmount();
    root.remove();
  };
}

afterEach(() => {
  unmount();
});

const dialog = page.getByRole('dialog', { name: 'One row' });
const show = page.getByRole('button', { name: 'Show' });
const close = page.getByRole('button', { name: 'Close' });

test('the focus moves in, Escape closes, and the focus goes back', async () => {
  (show.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toBeVisible();
  await expect.element(close).toHaveFocus();
  await expect.element(dialog).toHaveTextContent('supportedOne rowAll about it');
  await expect.element(dialog.getByRole('heading', { name: 'One row' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => state.closed).toBe(1);
  expect(dialog.query()).toBeNull();
  await expect.element(show).toHaveFocus();
});

test('among others it begins at Close, and the arrow keys go to the others from there', async () => {
  state.place = { at: 1, of: 3 };
  (show.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(close).toHaveFocus();
  await expect.element(dialog.getByText('2 of 3')).toBeVisible();
  await userEvent.keyboard('{ArrowRight}{ArrowLeft}');
  expect(state.steps).toEqual([1, -1]);
});

test('opened again at once after Escape, it stays open', async () => {
  (show.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(close).toHaveFocus();
  await userEvent.keyboard('{Escape}{Enter}');
  await expect.element(close).toHaveFocus();
  expect(state).toMatchObject({ open: true, closed: 1 });
});

test('the button closes it, and it opens again', async () => {
  await show.click();
  await close.click();
  await expect.poll(() => state).toMatchObject({ open: false, closed: 1 });
  await show.click();
  await expect.element(dialog).toBeVisible();
});

test('whoever opened it can close it, and nothing of it stays in the page', async () => {
  await show.click();
  await expect.element(dialog).toBeVisible();
  state.open = false;
  await expect.poll(() => dialog.query()).toBeNull();
  expect(document.body.textContent).not.toContain('All about it');
});

test('it may be open from the start', async () => {
  unmount();
  state.open = true;
  mount();
  await expect.element(dialog).toBeVisible();
});

test.each([true, false])(
  'on a phone its place stays in sight, and all buttons of its head stand in one line (status: %s)',
  async (hasStatus) => {
    await page.viewport(360, 800);
    state.hasStatus = hasStatus;
    state.place = { at: 1, of: 4 };
    state.label = 'certificate-of-a-shop-with-a-long-name.json';
    await page.getByRole('button', { name: 'Show' }).click();
    const place = page.getByText('2 of 4').element().getBoundingClientRect();
    const buttons = page
      .getByRole('dialog')
      .getByRole('button')
      .elements()
      .map((button) => button.getBoundingClientRect());
    expect(place.width).toBeGreaterThan(30);
    expect(buttons.map(({ top }) => top)).toEqual(buttons.map(() => buttons[0]?.top));
    for (const { left, right, top, bottom } of buttons)
      expect(
        place.right <= left || place.left >= right || place.top >= bottom || place.bottom <= top,
      ).toBe(true);
  },
);

test('on a phone a whole code has a line of its own, below what says how it stands and the buttons', async () => {
  await page.viewport(360, 800);
  state.place = { at: 2, of: 38 };
  state.label = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
  state.code = true;
  await page.getByRole('button', { name: 'Show' }).click();
  const boxOf = (text: string): DOMRect =>
    page.getByText(text, { exact: true }).element().getBoundingClientRect();
  const code = boxOf(state.label);
  expect(code.height).toBeLessThan(26);
  const next = page.getByRole('button', { name: 'Next' }).element().getBoundingClientRect();
  const status = boxOf('supported');
  expect(code.top).toBeGreaterThanOrEqual(Math.max(status.bottom, next.bottom) - 1);
  expect(status.bottom).toBeLessThanOrEqual(next.bottom);
  expect(status.top).toBeGreaterThanOrEqual(next.top);
  await page.viewport(1280, 800);
});
