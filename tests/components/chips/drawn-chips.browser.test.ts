import { expect, test, vi } from 'vitest';

import type { Mark } from '#components/chips/code-marks';
import { chipSize } from '#components/chips/chip-style';
import { createDrawnChips, type DrawnChips, maxKnown } from '#components/chips/drawn-chips';
import type { ChipPlace } from '#components/chips/chip-places';
import { createOverlay } from '#components/chips/overlay';
import type { Chip } from '#core/chips/index';
import { code, showPage } from '#tests/components/chips/ticket-page';

const chip = (label: string, answered: boolean): Chip => ({
  tone: 'plain',
  icon: '',
  label,
  answered,
});

/** Returns chips on an overlay of their own, and the names of those that are drawn. */
function drawnChips(): { chips: DrawnChips; names: () => (string | null)[]; end: () => void } {
  const attach = vi.spyOn(Element.prototype, 'attachShadow');
  const overlay = createOverlay('', chipSize);
  const root = attach.mock.results[0]?.value as ShadowRoot;
  attach.mockRestore();
  return {
    chips: createDrawnChips(overlay, chip('Check', false), { open: vi.fn(), left: vi.fn() }),
    names: () => [...root.querySelectorAll('button')].map((one) => one.getAttribute('aria-label')),
    end: overlay.end,
  };
}

const markAt = (name: string, text: Text | undefined, fromOffset: number): Mark => {
  if (text === undefined) throw new Error('the page has no texts');
  const toOffset = fromOffset + 5;
  return { code: name, from: text, to: text, fromOffset, toOffset, head: '', tail: '' };
};

const place: ChipPlace = {
  left: 0,
  top: 0,
  right: 112,
  bottom: 20,
  form: 'chip',
  opensLeft: false,
};

test('a verdict is replaced by another verdict only', () => {
  const { chips, end } = drawnChips();
  const shown = ['Checking', 'No answer', 'Supported', 'No answer', 'Not found'].map((label) => {
    chips.show(code, chip(label, label === 'Supported' || label === 'Not found'));
    return chips.chipOf(code)?.label;
  });
  expect(shown).toEqual(['Checking', 'No answer', 'Supported', 'Supported', 'Not found']);
  end();
});

test('all spellings of a code have one verdict, those drawn later as well', () => {
  const { chips, names, end } = drawnChips();
  const [text] = showPage('<p>first second</p>');
  chips.draw(markAt(code, text, 0), place);
  chips.show(code.toUpperCase(), chip('Supported', true));
  chips.draw(markAt(code.replaceAll('-', ''), text, 6), place);
  expect(names()).toEqual([`Supported: ${code}`, `Supported: ${code.replaceAll('-', '')}`]);
  end();
});

test('of a day of codes the latest are remembered', () => {
  const { chips, end } = drawnChips();
  const show = (name: string): void => {
    chips.show(name, chip('Supported', true));
  };
  for (const name of ['again', 'first', 'again']) show(name);
  for (let at = 1; at < maxKnown; at += 1) show(String(at));
  const codes = ['first', 'again', '1', String(maxKnown - 1)];
  expect(codes.map((name) => chips.chipOf(name)?.label)).toEqual([
    undefined,
    'Supported',
    'Supported',
    'Supported',
  ]);
  end();
});

test('the Tab key takes the chips in reading order, whichever was drawn first', () => {
  const { chips, names, end } = drawnChips();
  const [upper, lower] = showPage('<p>first second</p><p>third</p>');
  for (const mark of [
    markAt('second', upper, 6),
    markAt('third', lower, 0),
    markAt('first', upper, 0),
  ])
    chips.draw(mark, place);
  expect(names()).toEqual(['Check: first', 'Check: second', 'Check: third']);
  end();
});
