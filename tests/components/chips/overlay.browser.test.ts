import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';

import { chipSize, chipStyle } from '#components/chips/chip-style';
import type { ChipPlace } from '#components/chips/chip-places';
import { createOverlay, type DrawnChip, type Overlay } from '#components/chips/overlay';

const css =
  ':host{position:fixed;left:0;top:0} button{all:unset;position:absolute;left:0;top:0;caret-color:rgb(7,7,7);text-decoration-color:rgb(8,8,8)}';
const chip = { tone: 'good', icon: 'M2 6 5 9 10 3', label: 'Valid', answered: true } as const;

const placeAt = (left: number, top: number): ChipPlace => ({
  left,
  top,
  right: left + 112,
  bottom: top + 20,
  form: 'chip',
  opensLeft: false,
});

let overlay: Overlay;
/** The closed root, which the test alone gets hold of. */
let root: ShadowRoot;

function button(): HTMLButtonElement {
  const found = root.querySelector('button');
  if (found === null) throw new Error('no chip is drawn');
  return found;
}

function begin(style: string): void {
  const attach = vi.spyOn(Element.prototype, 'attachShadow');
  overlay = createOverlay(style, chipSize);
  root = attach.mock.results[0]?.value as ShadowRoot;
  attach.mockRestore();
}

beforeEach(() => {
  begin(css);
});
afterEach(() => {
  overlay.end();
  document.documentElement.removeAttribute('style');
});

test('the page cannot see into the overlay, and its body does not change', () => {
  const body = document.body.innerHTML;
  overlay.prepare();
  overlay.add(vi.fn(), vi.fn()).show(chip, 'code');
  expect(overlay.host.shadowRoot).toBeNull();
  expect(overlay.host.parentElement).toBe(document.documentElement);
  expect(document.body.innerHTML).toBe(body);
});

test('on hover a chip says whose it is and, however little room it has, until when there is support', () => {
  const drawn = overlay.add(vi.fn(), vi.fn());
  drawn.show(chip, 'code');
  drawn.moveTo(placeAt(10, 10));
  expect(button().title).toBe('Counterfoil · Valid');
  drawn.show({ ...chip, until: 'Mar 2027' }, 'code');
  expect(button().title).toBe('Counterfoil · Valid · Mar 2027');
});

/** Counts the pixels of a part of the chip's canvas that are painted in a colour. */
function painted(color: readonly [number, number, number], from: number, to: number): number {
  const canvas = button().querySelector('canvas');
  const scale = (canvas?.width ?? 0) / chipSize.wide;
  const { data } = canvas
    ?.getContext('2d')
    ?.getImageData(from * scale, 0, (to - from) * scale, chipSize.height * scale) ?? { data: [] };
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] === 255 && color.every((value, index) => data[at + index] === value))
      count += 1;
  return count;
}

test('a chip paints icon and label in its ink, and anew when that changes', () => {
  overlay.prepare();
  const drawn = overlay.add(vi.fn(), vi.fn());
  overlay.host.style.color = 'rgb(1, 2, 3)';
  drawn.show(chip, 'code');
  const ink = [1, 2, 3] as const;
  for (const [from, to] of [
    [7, 19],
    [24, 60],
  ] as const)
    expect(painted(ink, from, to)).toBeGreaterThan(10);
  overlay.host.style.color = 'rgb(200, 100, 50)';
  overlay.prepare();
  expect(painted(ink, 0, 176)).toBe(0);
  expect(painted([200, 100, 50], 24, 60)).toBeGreaterThan(10);
  drawn.show({ ...chip, label: '' }, 'code');
  expect(painted([200, 100, 50], 24, 60)).toBe(0);
});

test('a change of the page’s colour scheme ends in an event after which chips are laid out, and so painted', async () => {
  const inScheme = (value: string): Promise<unknown> =>
    cdp().send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value }],
    });
  document.documentElement.style.colorScheme = 'light dark';
  overlay.end();
  begin(chipStyle);
  overlay.prepare();
  const ended = vi.fn();
  addEventListener('transitionend', ended, { capture: true });
  await inScheme('dark');
  await expect.poll(() => ended.mock.calls.length).toBeGreaterThan(0);
  removeEventListener('transitionend', ended, { capture: true });
  await inScheme('light');
});

test('a chip is as wide as its words, and says the month only where there is room for it', () => {
  overlay.prepare();
  const drawn = overlay.add(vi.fn(), vi.fn());
  overlay.host.style.color = 'rgb(1, 2, 3)';
  drawn.show({ ...chip, until: 'Mar 2027' }, 'code');
  const [ink, ground] = [[1, 2, 3] as const, [7, 7, 7] as const];
  drawn.moveTo(placeAt(20, 10));
  expect(painted(ink, 70, 176)).toBe(0);
  expect(painted(ground, 24, 60)).toBeGreaterThan(10);
  expect(painted(ground, 80, 176)).toBe(0);
  drawn.moveTo({ ...placeAt(20, 10), right: 196, form: 'wide' });
  expect(painted(ink, 70, 176)).toBeGreaterThan(10);
  // On the left of its code it ends beside it.
  drawn.moveTo({ ...placeAt(20, 10), opensLeft: true });
  expect(painted(ground, 0, 20)).toBe(0);
  expect(painted(ground, 80, 112)).toBeGreaterThan(10);
  expect(button().ariaDescription).toBe('Mar 2027');
});

test('a chip has its tone, and its accessible name holds label and code', () => {
  overlay.add(vi.fn(), vi.fn()).show(chip, 'code');
  expect(button().className).toBe('good');
  expect(button().getAttribute('aria-label')).toBe('Valid: code');
  // The page could find text with `window.find`.
  expect(button().textContent).toBe('');
});

test('a chip is hidden until it has a position, and again without one', () => {
  overlay.prepare();
  const drawn = overlay.add(vi.fn(), vi.fn());
  const states = [button().hidden];
  drawn.moveTo(placeAt(20, 10));
  states.push(button().hidden);
  drawn.moveTo(undefined);
  states.push(button().hidden);
  drawn.remove();
  expect(states).toEqual([true, false, true]);
  expect(root.querySelector('button')).toBeNull();
});

test('a chip goes to its place in the viewport, also where the page moves its root', () => {
  document.documentElement.style.transform = 'translate(30px, 12px)';
  overlay.prepare();
  const drawn = overlay.add(vi.fn(), vi.fn());
  drawn.moveTo(placeAt(120, 80));
  const { left, top } = button().getBoundingClientRect();
  expect([left, top]).toEqual([120, 80]);
});

test('the host comes back when the page removes it, though not for ever', () => {
  let returns = 0;
  for (let index = 0; index < 60; index += 1) {
    overlay.prepare();
    if (overlay.host.isConnected) returns += 1;
    overlay.host.remove();
  }
  expect(returns).toBe(50);
});

test('a script of the page cannot click a chip', () => {
  const clicked = vi.fn();
  overlay.prepare();
  overlay.add(clicked, vi.fn()).moveTo(placeAt(20, 10));
  button().click();
  button().dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
  expect(clicked).not.toHaveBeenCalled();
});

test('the agent opens a code from the keyboard, and the page does not notice', async () => {
  const clicked = vi.fn();
  const noticed = vi.fn();
  const types = ['keydown', 'keypress', 'keyup', 'click', 'pointerdown', 'pointerup', 'mouseup'];
  for (const type of types) document.addEventListener(type, noticed);
  overlay.prepare();
  overlay.add(clicked, vi.fn()).moveTo(placeAt(20, 10));
  button().focus();
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard(' ');
  for (const type of types)
    button().dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }));
  for (const type of types) document.removeEventListener(type, noticed);
  expect(clicked).toHaveBeenCalledTimes(2);
  expect(noticed).not.toHaveBeenCalled();
});

const iconAt = (left: number, top: number): ChipPlace => ({
  ...placeAt(left, top),
  right: left + 16,
  bottom: top + 16,
  form: 'icon',
});

function addChip(place: ChipPlace): DrawnChip {
  const drawn = overlay.add(vi.fn(), vi.fn());
  drawn.show(chip, 'code');
  drawn.moveTo(place);
  return drawn;
}

/** Draws a chip in its own style. */
function showAt(place: ChipPlace): DrawnChip {
  overlay.end();
  begin(chipStyle);
  overlay.prepare();
  return addChip(place);
}

function mouse(
  type: 'mouseMoved' | 'mousePressed' | 'mouseReleased',
  left: number,
  top: number,
): Promise<unknown> {
  const frame = window.frameElement?.getBoundingClientRect();
  const [x, y] = [left + (frame?.x ?? 0), top + (frame?.y ?? 0)];
  return cdp().send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
}

/** Gives the focus to the first chip as the Tab key does. */
async function tabToChip(): Promise<void> {
  for (let left = 5; document.activeElement !== overlay.host && left > 0; left -= 1)
    await userEvent.keyboard('{Tab}');
}

test('an icon unfolds along its line to the right, over itself', async () => {
  showAt(iconAt(300, 40));
  const boxes = (): DOMRect[] =>
    [...button().querySelectorAll('canvas')].map((each) => each.getBoundingClientRect());
  expect(boxes()).toMatchObject([{ width: 0 }, { left: 300, top: 40, width: 16 }]);
  await tabToChip();
  const [words, icon] = boxes();
  expect(icon).toMatchObject({ width: 0 });
  expect(words).toMatchObject({ left: 300, top: 38, width: 176, height: 20 });
});

test('an icon stays as it is, unfolds to all its words below its line, where the code stays readable, and folds again after a click', async () => {
  const drawn = showAt({ ...iconAt(300, 40), opensLeft: true, drop: 22 });
  const pill = (): DOMRect | undefined => button().querySelector('canvas')?.getBoundingClientRect();
  const [words, icon] = button().querySelectorAll('canvas');
  const isUnfolded = (): boolean => getComputedStyle(words ?? button()).display !== 'none';
  const sign = (): DOMRect | undefined => icon?.getBoundingClientRect();
  expect(isUnfolded()).toBe(false);
  expect(sign()).toMatchObject({ left: 300, top: 40, width: 16, height: 16 });
  await mouse('mouseMoved', 308, 48);
  await expect.poll(isUnfolded).toBe(true);
  expect(pill()).toMatchObject({ right: 316, top: 62, width: 176 });
  expect(sign()).toMatchObject({ left: 300, top: 40, width: 16, height: 16 });
  // The words lie over the next line, whose own icon takes the pointer.
  expect(document.elementFromPoint(250, 66)).not.toBe(overlay.host);
  await mouse('mouseMoved', 250, 66);
  await expect.poll(isUnfolded).toBe(false);
  await mouse('mouseMoved', 308, 48);
  await mouse('mousePressed', 308, 48);
  await mouse('mouseReleased', 308, 48);
  await mouse('mouseMoved', 600, 300);
  await expect.poll(isUnfolded).toBe(false);
  expect(drawn.hasFocus).toBe(true);
});

test('what an unfolded chip lies over is hidden as long, and shown again when the chip is gone', async () => {
  const first = showAt({ ...iconAt(300, 40), opensLeft: true, drop: 18 });
  addChip({ ...iconAt(310, 62), opensLeft: true, drop: 18 });
  addChip({ ...iconAt(300, 84), opensLeft: true, drop: 18 });
  const opacities = (): string[] =>
    [...root.querySelectorAll('button')].map((each) => getComputedStyle(each).opacity);
  expect(opacities()).toEqual(['1', '1', '1']);
  await tabToChip();
  expect(opacities()).toEqual(['1', '0', '1']);
  await userEvent.keyboard('{Tab}');
  expect(opacities()).toEqual(['1', '1', '0']);
  await userEvent.keyboard('{Escape}');
  await mouse('mouseMoved', 308, 48);
  await expect.poll(opacities).toEqual(['1', '0', '1']);
  await mouse('mouseMoved', 318, 70);
  await expect.poll(opacities).toEqual(['1', '1', '0']);
  await mouse('mouseMoved', 308, 48);
  await expect.poll(opacities).toEqual(['1', '0', '1']);
  first.remove();
  overlay.prepare();
  expect(opacities()).toEqual(['1', '1']);
});

test('the focus has its ring inside the chip, and for the keyboard alone', async () => {
  showAt(placeAt(20, 10));
  overlay.host.style.setProperty('color', 'rgb(1, 2, 3)', 'important');
  const canvas = button().querySelector('canvas');
  const scale = (canvas?.width ?? 0) / chipSize.wide;
  /** The colour in the middle of the chip's upper edge, so many CSS pixels below its top. */
  const inkAt = (top: number): boolean => {
    const pen = canvas?.getContext('2d', { willReadFrequently: true });
    const { data } = pen?.getImageData(30 * scale, top * scale, 1, 1) ?? {};
    return getComputedStyle(button()).color === `rgb(${[...(data ?? [])].slice(0, 3).join(', ')})`;
  };
  expect([inkAt(0.5), inkAt(1.5)]).toEqual([false, false]);
  await tabToChip();
  expect([inkAt(0.5), inkAt(1.5), inkAt(2.5)]).toEqual([true, true, false]);
  expect(getComputedStyle(button()).outlineStyle).toBe('none');
  await userEvent.keyboard('{Escape}');
  expect([inkAt(0.5), inkAt(1.5)]).toEqual([false, false]);
});

test('nothing is left after the end', () => {
  overlay.prepare();
  overlay.end();
  expect(overlay.host.isConnected).toBe(false);
});
