import { expect, test } from 'vitest';
import { defineComponent, h } from 'vue';

import VerdictMark from '#components/check/verdict/VerdictMark.vue';
import CheckMark from '#components/history/CheckMark.vue';
import type { HistoryCheck } from '#core/history/index';
import { mounting } from '#tests/components/mounted';
import { now } from '#tests/stores/check/samples';

const check: HistoryCheck = {
  id: 1,
  codeId: 'a',
  spellingId: 'a',
  code: 'a',
  connectionId: 'm',
  connectionName: 'Market',
  by: 'bulk',
  question: 'q',
  checkedAt: now,
  answer: { kind: 'not-found', msg: '', key: 'good', proven: true },
  entries: [],
  group: 'waiting',
  silent: [],
  connectionNames: [],
};

test('what waits has one mark in the history and in the table of a bulk check, and is busy', () => {
  const both = defineComponent({
    setup: () => () => [h(CheckMark, { check }), h(VerdictMark, { outcome: undefined, at: now })],
  });
  mounting(both, { script: {} });
  const [inHistory, inBulk] = document.querySelectorAll('.verdict-mark');
  expect(inHistory?.innerHTML).toBe(inBulk?.innerHTML);
  expect(inHistory?.textContent).toContain('Waiting');
  expect(inHistory?.getAttribute('aria-busy')).toBe('true');
  expect(inHistory?.hasAttribute('data-verdict')).toBe(false);
});
