import '#components/ui/styles.css';

import { type App, createApp } from 'vue';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { createCatalogue } from '#components/i18n';
import StateDiagram from '#components/rehearsal/StateDiagram.vue';
import germanAuthority from '#locales/de/authority.json';
import germanVerifier from '#locales/de/verifier.json';
import { transitions } from '#core/rehearsal/transitions';
import authority from '#locales/en/authority.json';
import verifier from '#locales/en/verifier.json';

let app: App;
let root: HTMLElement;

beforeEach(async () => {
  await page.viewport(1000, 740);
  root = document.createElement('div');
  document.body.replaceChildren(root);
  show('en-GB', { ...verifier, ...authority });
});

function show(locale: string, messages: Record<string, unknown>): void {
  app = createApp(StateDiagram, { standing: 'activated', taken: new Map(), last: [] }).use(
    createCatalogue(locale, messages),
  );
  app.mount(root);
}

afterEach(() => {
  app.unmount();
});

test('on a narrow page the transitions stand in a list under their states, and no drawing is cut', async () => {
  await page.viewport(360, 740);
  const list = root.querySelector('.diagram-list');
  expect(root.querySelector('svg.diagram-board')?.checkVisibility()).toBe(false);
  expect(list?.checkVisibility()).toBe(true);
  expect([...(list?.querySelectorAll('b') ?? [])].map((each) => each.textContent)).toEqual([
    'Active',
    'Check-in due',
    'Grace',
    'Stopped',
    'Not activated',
  ]);
  expect(list?.querySelector('.lit')?.textContent).toBe('Active');
  expect(list?.querySelectorAll('.diagram-step')).toHaveLength(transitions.length);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
});

test('the diagram’s text can be read beside the controls, and the page does not grow wider', () => {
  root.style.width = '540px';
  const texts = [...root.querySelectorAll<SVGTextElement>('svg text')];
  const sizes = texts.map(
    (text) =>
      Number.parseFloat(getComputedStyle(text).fontSize) * (text.getScreenCTM()?.a ?? Number.NaN),
  );
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.min(...sizes)).toBeGreaterThan(10);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(1000);
});

test('the keyboard reaches the diagram and scrolls it', async () => {
  root.style.width = '540px';
  await userEvent.keyboard('{Tab}');
  const scroller = page.getByRole('group', { name: 'States and what leads from one to another' });
  await expect.element(scroller).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => scroller.element().scrollLeft).toBeGreaterThan(0);
});

test('the table with long words scrolls in a frame of its own, which the keyboard reaches', async () => {
  await page.viewport(320, 740);
  // As much as the page and its cards keep free.
  root.style.paddingInline = '36px';
  app.unmount();
  show('en-GB', { ...germanVerifier, ...germanAuthority });
  const summary = page.getByText('Dasselbe als Tabelle');
  await summary.click();
  const frame = page.getByRole('group', { name: 'Dasselbe als Tabelle' }).last();
  expect(frame.element().scrollWidth).toBeGreaterThan(frame.element().clientWidth);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  await userEvent.keyboard('{Tab}');
  await expect.element(frame).toHaveFocus();
});

test('labels stay beside their arrows on a page from right to left', () => {
  const places = (): number[] =>
    [...root.querySelectorAll<SVGTextElement>('svg text')].map((text) => text.getBBox().x);
  const before = places();
  expect(before.length).toBeGreaterThan(10);
  root.dir = 'rtl';
  expect(places()).toEqual(before);
});
