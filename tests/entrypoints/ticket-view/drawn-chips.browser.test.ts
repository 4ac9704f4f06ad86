import { expect, test, vi } from 'vitest';

import { createDrawnChips } from '#entrypoints/ticket-view/drawn-chips';
import { createOverlay } from '#entrypoints/ticket-view/overlay';
import type { Chip } from '#messaging/ticket/protocol';
import { code } from '#tests/entrypoints/ticket-view/ticket-page';

const chip = (label: string, answered: boolean): Chip => ({
  ...{ tone: 'plain', icon: '', label, answered },
});

test('a verdict is replaced by another verdict only', () => {
  const chips = createDrawnChips(createOverlay(''), chip('Check', false), {
    ...{ open: vi.fn(), left: vi.fn() },
  });
  const shown = ['Checking', 'No answer', 'Supported', 'No answer', 'Not found'].map((label) => {
    chips.show(code, chip(label, label === 'Supported' || label === 'Not found'));
    return chips.chipOf(code)?.label;
  });
  expect(shown).toEqual(['Checking', 'No answer', 'Supported', 'Supported', 'Not found']);
});
