import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import VerdictMark from '#components/check/verdict/VerdictMark.vue';
import CheckMark from '#components/history/CheckMark.vue';
import HistoryDetail from '#components/history/HistoryDetail.vue';
import {
  type HistoryCheck,
  type HistoryEntry,
  type HistoryPort,
  historyTable,
} from '#core/history/index';
import { summariseAnswer } from '#core/check/index';
import { fail, succeed } from '#core/result';
import { historyChangesPort, historyPort } from '#stores/history/ports';
import { useHistory } from '#stores/history/history';
import { type PageHarness, mounting, noHistory } from '#tests/components/mounted';
import { code, connection, day, genuine, now, purchase } from '#tests/stores/check/samples';
import { defaultHistorySettings } from '#core/preferences/index';

const entry: HistoryEntry = {
  id: 1,
  codeId: 'one',
  code,
  connectionId: 'market',
  connectionName: 'Market',
  checkedAt: now - day,
  by: 'agent',
  question: 'first',
  answer: summariseAnswer({ kind: 'purchase', purchase: purchase() }),
};

const again = { ...entry, id: 2, checkedAt: now, question: 'second' };

/** Shows the code; a check again brings `again`. */
function shown(annotate: HistoryPort['annotate'], props: object = {}): PageHarness {
  const stored = [entry];
  const Page = defineComponent(() => {
    const history = useHistory();
    void history.load();
    return () =>
      h(HistoryDetail, {
        code: historyTable(history.checks, { dayOf: () => 0 }).codes[0],
        ...props,
      });
  });
  return mounting(Page, {
    script: {
      'connections.list': () => [connection()],
      'history.again': () => {
        stored.unshift(again);
        return succeed(genuine({ code, connectionId: 'market' }));
      },
    },
    ports: (app) =>
      app.provide(historyPort, {
        ...noHistory,
        settings: () => Promise.resolve({ ...defaultHistorySettings, tickets: true }),
        latest: () => Promise.resolve([...stored]),
        ofCode: () => Promise.resolve([...stored]),
        annotate: async (id, typed) => {
          const kept = await annotate(id, typed);
          if (kept.ok)
            stored.splice(
              0,
              stored.length,
              ...stored.map((one) => (one.id === id ? { ...one, ...typed } : one)),
            );
          return kept;
        },
      }),
  });
}

test('what was typed about an entry is kept when its code is checked again', async () => {
  const annotate = vi.fn<HistoryPort['annotate']>(() => Promise.resolve(succeed(undefined)));
  const { bodies } = shown(annotate);
  const ticket = page.getByLabelText('Ticket’s address');
  const note = page.getByLabelText('Note');
  await ticket.fill(' https://desk.test/7 ');
  await note.fill('asked for an invoice');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.element(note).toHaveValue('');
  const kept = { ticket: 'https://desk.test/7', note: 'asked for an invoice' };
  expect(annotate).toHaveBeenCalledExactlyOnceWith(1, kept);
  expect(bodies('history.again')).toEqual([{ id: 1, ticket: 'https://desk.test/7' }]);
  await page.getByRole('button', { name: 'Refresh' }).click();
  expect(annotate).toHaveBeenCalledOnce();
});

test('a code is checked again once while what was typed is being kept', async () => {
  const kept = Promise.withResolvers<Awaited<ReturnType<HistoryPort['annotate']>>>();
  const { bodies } = shown(() => kept.promise);
  const note = page.getByLabelText('Note');
  await note.fill('asked for an invoice');
  const button = page.getByRole('button', { name: 'Refresh' });
  await button.click();
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  (button.element() as HTMLElement).click();
  kept.resolve(succeed(undefined));
  await expect.element(note).toHaveValue('');
  expect(bodies('history.again')).toHaveLength(1);
});

test('a code is not checked again where what was typed cannot be kept', async () => {
  const { bodies } = shown(() => Promise.resolve(fail({ kind: 'storage-full' })));
  const note = page.getByLabelText('Note');
  await note.fill('asked for an invoice');
  const button = page.getByRole('button', { name: 'Refresh' });
  await button.click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(button).not.toHaveAttribute('aria-disabled', 'true');
  await expect.element(note).toHaveValue('asked for an invoice');
  expect(bodies('history.again')).toEqual([]);
});

test('the next code is shown once what was typed about this one is kept', async () => {
  const annotate = vi.fn<HistoryPort['annotate']>().mockResolvedValue(succeed(undefined));
  const onStep = vi.fn();
  shown(annotate, { position: { at: 0, of: 2 }, onStep });
  await page.getByLabelText('Note').fill('Asked for the invoice');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => onStep.mock.calls).toEqual([[1]]);
  expect(annotate).toHaveBeenCalledExactlyOnceWith(
    expect.anything(),
    expect.objectContaining({ note: 'Asked for the invoice' }),
  );
});

test.each([360, 1280])(
  'at %i px the preview of a reply opens above its buttons, and the head of the dialog stays',
  async (width) => {
    await page.viewport(width, 800);
    shown(() => Promise.resolve(succeed(undefined)), { position: { at: 0, of: 2 } });
    const copy = page.getByRole('button', { name: 'Copy reply' });
    const heading = page.getByRole('heading', { level: 2 });
    await expect.element(copy).toBeEnabled();
    const tops = (): number[] =>
      [heading, copy].map((each) => each.element().getBoundingClientRect().top);
    const before = tops();
    await page.getByRole('button', { name: 'Preview and templates' }).click();
    await page.getByRole('menuitem', { name: 'Preview' }).click();
    const preview = page.getByRole('group', { name: 'Preview' });
    await expect.element(preview).toBeVisible();
    expect(tops()).toEqual(before);
    const { top, bottom } = preview.element().getBoundingClientRect();
    expect(top).toBeGreaterThan(heading.element().getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(copy.element().getBoundingClientRect().top);
    await page.viewport(1280, 800);
  },
);

test('on a phone no two words about an earlier check lie over each other', async () => {
  await page.viewport(360, 800);
  shown(() => Promise.resolve(succeed(undefined)));
  await page.getByRole('button', { name: 'Refresh' }).click();
  const row = page.getByRole('listitem').first();
  await expect.element(row).toBeVisible();
  const [mark, name, moment] = [...row.element().children].map((part) =>
    part.getBoundingClientRect(),
  );
  if (!mark || !name || !moment) throw new Error('A part of the check is missing.');
  expect(moment.left).toBeGreaterThanOrEqual(mark.right);
  expect(name.top).toBeGreaterThanOrEqual(moment.bottom);
});

test('on a phone what can be done with a code stays at the foot of its dialog, however long it is', async () => {
  await page.viewport(360, 600);
  shown(() => Promise.resolve(succeed(undefined)), { position: { at: 0, of: 2 } });
  const refresh = page.getByRole('button', { name: 'Refresh' });
  await expect.element(page.getByRole('button', { name: 'Copy summary' })).toBeVisible();
  const dialog = page.getByRole('dialog').element();
  const body = dialog.querySelector<HTMLElement>('.dialog-body');
  if (body === null) throw new Error('a dialog has a body');
  expect(body.scrollHeight).toBeGreaterThan(body.clientHeight);
  const below = (): number =>
    dialog.getBoundingClientRect().bottom - refresh.element().getBoundingClientRect().bottom;
  const top = (): number =>
    page.getByRole('heading', { level: 2 }).element().getBoundingClientRect().top;
  const before = top();
  expect(below()).toBeLessThan(24);
  body.scrollTop = body.scrollHeight;
  expect(below()).toBeLessThan(24);
  refresh.element().focus();
  expect([dialog.scrollTop, top()]).toEqual([0, before]);
  // Nothing is left under it.
  const save = page.getByRole('button', { name: 'Save' }).element().getBoundingClientRect();
  expect(save.bottom).toBeLessThan(refresh.element().getBoundingClientRect().top);
});

test.each([360, 1280])(
  'at %i px the buttons at the foot of the dialog stay where they are when its code is checked again, and the Tab key goes down the dialog',
  async (width) => {
    await page.viewport(width, 800);
    shown(() => Promise.resolve(succeed(undefined)), { position: { at: 0, of: 2 } });
    const refresh = page.getByRole('button', { name: 'Refresh' });
    await expect.element(refresh).toBeVisible();
    const places = (): number[] =>
      [...document.querySelectorAll('dialog .dialog-foot button')]
        .map((each) => each.getBoundingClientRect())
        .filter(({ height }) => height > 0)
        .map(({ top }) => top);
    const before = places();
    await refresh.click();
    await expect.element(page.getByRole('listitem').first()).toBeVisible();
    expect(places()).toEqual(before);
    expect(before.length).toBeGreaterThan(1);
    const last = [...document.querySelectorAll('dialog :is(button, textarea)')].at(-1);
    expect(last).toBe(refresh.element());
    await page.viewport(1280, 800);
  },
);

test('what has no answer has one mark, in the history and in a bulk check, whichever fault it was', () => {
  const marks = [
    h(CheckMark, { check: { ...entry, group: 'fault' } as unknown as HistoryCheck }),
    ...(['offline', 'locked'] as const).map((kind) =>
      h(VerdictMark, { outcome: fail({ kind }), at: now }),
    ),
  ];
  mounting(
    defineComponent(() => () => marks),
    { script: {} },
  );
  const drawn = [...document.querySelectorAll<HTMLElement>('.chip')].map(
    (chip) => `${chip.innerText.trim()} ${chip.querySelector('svg')?.innerHTML ?? ''}`,
  );
  expect(drawn).toHaveLength(3);
  expect(new Set(drawn).size).toBe(1);
});

test('the dialog says the verdict in a sentence, with the reason, as that of a bulk check does', async () => {
  shown(() => Promise.resolve(succeed(undefined)));
  const heading = page.getByRole('heading', { level: 3 }).first();
  await expect.poll(() => heading.element().textContent).toMatch(/^Supported until\W+Mar/u);
  expect(heading.element().nextElementSibling?.textContent).toMatch(/^3 months left/u);
});

const missing: HistoryEntry = {
  ...entry,
  answer: { kind: 'not-found', msg: '', key: 'good', proven: true },
};
test('what was not found has the possible reasons in its dialog', async () => {
  mounting(
    defineComponent(() => {
      void useHistory().load();
      return () =>
        h(HistoryDetail, { code: historyTable(useHistory().checks, { dayOf: () => 0 }).codes[0] });
    }),
    {
      script: { 'connections.list': () => [connection()] },
      ports: (app) =>
        app.provide(historyPort, { ...noHistory, latest: () => Promise.resolve([missing]) }),
    },
  );
  const reasons = page.getByRole('dialog').getByText('Possible reasons');
  await expect.element(reasons).toBeVisible();
  await expect.element(page.getByText('a typo in the code')).toBeVisible();
});
const inDemo = { connectionId: 'demo', connectionName: 'Demo' };
test.each([
  { what: 'not found at two connections', before: [missing, { ...missing, ...inDemo, id: 3 }] },
  { what: 'found at one of two', before: [entry, { ...missing, ...inDemo, id: 3 }] },
])('what is $what: nothing in its dialog moves while it is checked again', async ({ before }) => {
  await page.viewport(1280, 800);
  const [first, other] = before.map((each) => ({
    ...each,
    id: each.id + 10,
    checkedAt: now,
    question: 'second',
    ...(before[0] === missing && { asked: ['market', 'demo'] }),
  }));
  const answers = before[0] === entry ? [first] : [first, other];
  const stored = [...before];
  let changed = (): void => undefined;
  /** Longer than the shortest interval between two readings of the history. */
  const settle = () => new Promise((done) => setTimeout(done, 1200));
  const Page = defineComponent(() => {
    const history = useHistory();
    void history.load();
    history.follow();
    return () =>
      h(HistoryDetail, { code: historyTable(history.checks, { dayOf: () => 0 }).codes[0] });
  });
  mounting(Page, {
    script: {
      'connections.list': () => [connection(), connection({ id: 'demo', name: 'Demo' })],
      'history.again': async () => {
        for (const each of answers) {
          if (each !== undefined) stored.unshift(each);
          changed();
          await settle();
        }
        return succeed(genuine({ code, connectionId: 'market' }));
      },
    },
    ports: (app) =>
      app
        .provide(historyPort, {
          ...noHistory,
          settings: () => Promise.resolve(defaultHistorySettings),
          latest: () => Promise.resolve([...stored]),
          ofCode: () => Promise.resolve([...stored]),
        })
        .provide(historyChangesPort, (heard) => {
          changed = heard;
          return () => undefined;
        }),
  });
  const refresh = page.getByRole('button', { name: 'Refresh' });
  await expect.element(refresh).toBeVisible();
  const places = (): string =>
    [...document.querySelectorAll('.dialog-body :is(h3, dt, button)')]
      .filter((each) => each.closest('.history-checks') === null)
      .map((each) => `${each.textContent} ${String(each.getBoundingClientRect().top)}`)
      .join();
  const seen = new Set([places()]);
  const observer = new MutationObserver(() => seen.add(places()));
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  await refresh.click();
  await expect.element(page.getByRole('heading', { name: 'Each check' })).toBeVisible();
  await settle();
  observer.disconnect();
  expect([...seen]).toHaveLength(1);
});

test.each([360, 1280])(
  'at %i px a saved note is said to be saved until it is edited, in the open dialog, whose fields stay where they are',
  async (width) => {
    await page.viewport(width, 800);
    onTestFinished(() => page.viewport(1280, 800));
    const onClose = vi.fn();
    shown(() => Promise.resolve(succeed(undefined)), { onClose });
    const ticket = page.getByLabelText('Ticket’s address');
    const save = page.getByRole('button', { name: 'Save' });
    const saved = page.getByText('Saved.', { exact: true });
    await ticket.fill('https://desk.test/7');
    // Their places in the dialog, which is scrolled for a click.
    const place = (): number =>
      ticket.element().getBoundingClientRect().top -
      page.getByRole('heading', { level: 3 }).element().getBoundingClientRect().top;
    const before = place();
    await save.click();
    await expect.element(saved).toBeVisible();
    await ticket.fill('https://desk.test/8');
    await expect.element(saved).not.toBeInTheDocument();
    await save.click();
    await expect.element(saved).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
    expect(place()).toBe(before);
  },
);
