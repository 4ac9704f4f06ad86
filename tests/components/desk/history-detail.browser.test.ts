import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h, ref } from 'vue';

import HistoryDetail from '#components/history/HistoryDetail.vue';
import { type HistoryEntry, defaultHistorySettings } from '#core/history/entry';
import { summariseAnswer } from '#core/history/answer-summary';
import { succeed } from '#core/result';
import { type HistoryPort, historyPort } from '#stores/history/ports';
import { useHistory } from '#stores/history/history';
import { mounting, noHistory } from '#tests/components/mounted';
import { code, connection, day, genuine, now, purchase } from '#tests/stores/check/samples';

const entry: HistoryEntry = {
  ...{ id: 1, codeId: 'one', code, connectionId: 'market', connectionName: 'Market' },
  ...{ checkedAt: now - day, by: 'agent' },
  answer: summariseAnswer({ kind: 'purchase', purchase: purchase() }),
};

test('what was typed about an entry is kept when its code is checked again', async () => {
  const annotate = vi.fn<HistoryPort['annotate']>(() => Promise.resolve(succeed(undefined)));
  const again = { ...entry, id: 2, checkedAt: now };
  const Page = defineComponent(() => {
    const shown = ref<HistoryEntry>();
    void useHistory()
      .load()
      .then(() => (shown.value = entry));
    const onShow = (next: HistoryEntry): HistoryEntry => (shown.value = next);
    return () => h(HistoryDetail, { entry: shown.value, onShow });
  });
  mounting(Page, {
    script: {
      'connections.list': () => [connection()],
      check: (asked) => genuine(asked),
    },
    ports: (app) =>
      app.provide(historyPort, {
        ...noHistory,
        settings: () => Promise.resolve({ ...defaultHistorySettings, tickets: true }),
        latest: () => Promise.resolve([again, entry]),
        annotate,
      }),
  });
  const note = page.getByLabelText('Note');
  await note.fill('asked for an invoice');
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect.element(note).toHaveValue('');
  expect(annotate).toHaveBeenCalledExactlyOnceWith(1, { ticket: '', note: 'asked for an invoice' });
  await page.getByRole('button', { name: 'Check again' }).click();
  expect(annotate).toHaveBeenCalledOnce();
});
