import { expect, test, vi } from 'vitest';

import type { Mark } from '#components/chips/code-marks';
import { chipSize } from '#components/chips/chip-style';
import { createDrawnChips } from '#components/chips/drawn-chips';
import type { ChipPlace } from '#components/chips/chip-places';
import { createOverlay } from '#components/chips/overlay';
import type { Chip } from '#messaging/topics/ticket';
import { code, showPage } from '#tests/components/chips/ticket-page';

const chip = (label: string, answered: boolean): Chip => ({
  tone: 'plain',
  icon: '',
  label,
  answered,
});

test('a verdict is replaced by another verdict only', () => {
  const chips = createDrawnChips(createOverlay('', chipSize), chip('Check', false), {
    open: vi.fn(),
    left: vi.fn(),
  });
  const shown = ['Checking', 'No answer', 'Supported', 'No answer', 'Not found'].map((label) => {
    chips.show(code, chip(label, label === 'Supported' || label === 'Not found'));
    return chips.chipOf(code)?.label;
  });
  expect(shown).toEqual(['Checking', 'No answer', 'Supported', 'Supported', 'Not found']);
});

test('the Tab key takes the chips in reading order, whichever was drawn first', () => {
  const attach = vi.spyOn(Element.prototype, 'attachShadow');
  const overlay = createOverlay('', chipSize);
  const root = attach.mock.results[0]?.value as ShadowRoot;
  attach.mockRestore();
  const chips = createDrawnChips(overlay, chip('Check', false), {
    open: vi.fn(),
    left: vi.fn(),
  });
  const [upper, lower] = showPage('<p>first second</p><p>third</p>');
  if (upper === undefined || lower === undefined) throw new Error('the page has no texts');
  const markAt = (name: string, text: Text, fromOffset: number): Mark => ({
    code: name,
    from: text,
    to: text,
    fromOffset,
    toOffset: fromOffset + 5,
    head: '',
    tail: '',
  });
  const place: ChipPlace = {
    left: 0,
    top: 0,
    right: 112,
    bottom: 20,
    form: 'chip',
    opensLeft: false,
  };
  for (const mark of [
    markAt('second', upper, 6),
    markAt('third', lower, 0),
    markAt('first', upper, 0),
  ])
    chips.draw(mark, place);
  const names = [...root.querySelectorAll('button')].map((one) => one.getAttribute('aria-label'));
  expect(names).toEqual(['Check: first', 'Check: second', 'Check: third']);
  overlay.end();
});
