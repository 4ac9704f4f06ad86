import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import HistoryPage from '#components/history/HistoryPage.vue';
import { summariseAnswer } from '#core/check/index';
import type { HistoryEntry } from '#core/history/index';
import { defaultHistorySettings } from '#core/preferences/index';
import { fail, succeed } from '#core/result';
import type { BulkJob } from '#core/jobs/index';
import germanAnswers from '#locales/de/answer.json';
import germanDesk from '#locales/de/desk.json';
import { jobsPort } from '#stores/bulk/ports';
import { type Commands, commandsPort } from '#stores/commands/ports';
import { historyChangesPort, historyPort } from '#stores/history/ports';
import { saveFilePort } from '#stores/ports';
import { mounting, noHistory, noJobs } from '#tests/components/mounted';
import { code, connection, demo, now, otherCode, purchase } from '#tests/stores/check/samples';

const answerOf = (id: number, asked: string, connectionId: string, isGenuine: boolean) =>
  ({
    id,
    codeId: asked,
    code: asked,
    connectionId,
    connectionName: connectionId === 'market' ? 'Market' : 'Demo',
    checkedAt: now - id,
    by: 'agent',
    question: asked,
    answer: isGenuine
      ? summariseAnswer({ kind: 'purchase', purchase: purchase() })
      : { kind: 'not-found', msg: 'No.', key: 'good', proven: true },
  }) satisfies HistoryEntry;

const answers = [
  answerOf(4, code, 'demo', false),
  answerOf(5, code, 'market', true),
  answerOf(6, otherCode, 'demo', false),
  answerOf(7, otherCode, 'market', false),
];

/** The history of these entries, the newest first. */
const historyOf = (entries: readonly HistoryEntry[]): typeof noHistory => ({
  ...noHistory,
  latest: () => Promise.resolve([...entries]),
  ofCode: (codeId) => Promise.resolve(entries.filter((one) => one.codeId === codeId)),
});

test('in the narrowest window that shows them all, the filters by connection and day take one line', async () => {
  await page.viewport(528, 800);
  document.body.style.width = '496px';
  onTestFinished(() => {
    document.body.style.width = '';
  });
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) => app.provide(historyPort, historyOf(answers)),
  });
  await expect.element(page.getByRole('status').getByText('2 codes')).toBeVisible();
  const fields = [...document.querySelectorAll('.history-fields > *')];
  const middles = fields.map((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return Math.round((top + bottom) / 2);
  });
  expect(fields).toHaveLength(3);
  expect(new Set(middles).size).toBe(1);
  await page.viewport(1280, 800);
});

test('a code that was asked about at two connections is one row, and chips and table count the same', async () => {
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) => app.provide(historyPort, historyOf(answers)),
  });
  await expect.element(page.getByRole('status').getByText('2 codes')).toBeVisible();
  const rows = page.getByRole('row');
  const marks = [...document.querySelectorAll<HTMLElement>('[role="row"] [data-verdict]')];
  expect(marks.map(({ dataset }) => dataset['verdict'])).toEqual(['supported', 'not-found']);
  expect(rows.nth(3).element().textContent).toContain('Demo and Market');
  await expect.element(page.getByRole('button', { name: 'Supported 1' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Not found 1' })).toBeVisible();

  await rows.nth(2).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  expect(dialog.element().textContent).toContain('Market');
  expect(dialog.element().textContent).toContain('Not on Demo');
});

test('a code that the address names is open at first, and its row has the focus once it is closed', async () => {
  mounting(HistoryPage, {
    props: { route: { section: 'history', codeId: otherCode } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) => app.provide(historyPort, historyOf(answers)),
  });
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(page.getByRole('dialog').element().textContent).toContain(otherCode);
  await userEvent.keyboard('{Escape}');
  const grid = page.getByRole('grid');
  await expect.element(grid).toHaveFocus();
  const active = grid.element().getAttribute('aria-activedescendant') ?? '';
  expect(document.getElementById(active)?.textContent).toContain(otherCode.slice(-4));
});

test('what finds nothing is cleared from within the table, whichever filter it is of', async () => {
  await page.viewport(1000, 800);
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app.provide(historyPort, {
        ...noHistory,
        latest: () => Promise.resolve(answers),
      }),
  });
  await expect.element(page.getByRole('button', { name: 'Supported 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Supported 1' }).click();
  await page.getByLabelText('From').fill('2000-01-01');
  await page.getByLabelText('To').fill('2000-01-02');
  const grid = page.getByRole('grid');
  await expect.element(grid.getByText('Nothing matches these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Supported 0' }).click();
  await expect.element(grid.getByText('Nothing was checked in this period.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('searchbox').fill('nobody');
  await expect.element(grid.getByText('Nothing matches this search.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect.element(page.getByRole('status').getByText('2 codes')).toBeVisible();
  await expect.element(page.getByLabelText('From')).toHaveValue('');
  await expect.element(page.getByRole('searchbox')).toHaveFocus();
});

test('a day that is given up while a search finds nothing keeps the focus', async () => {
  await page.viewport(1000, 800);
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app.provide(historyPort, { ...noHistory, latest: () => Promise.resolve(answers) }),
  });
  await page.getByLabelText('From').fill('2000-01-01');
  await page.getByRole('searchbox').fill('nobody');
  await page.getByRole('button', { name: 'Any day' }).click();
  await expect.element(page.getByLabelText('From')).toHaveValue('');
  await expect.element(page.getByText('Nothing matches this search.')).toBeVisible();
  await expect.element(page.getByLabelText('From')).toHaveFocus();
});

test('a code that is searched for in vain can be checked from there', async () => {
  const checked: string[] = [];
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app
        .provide(historyPort, { ...noHistory, latest: () => Promise.resolve(answers) })
        .provide(commandsPort, () =>
          Promise.resolve({
            check: (text: string) => Promise.resolve(void checked.push(text)),
          } as Commands),
        ),
  });
  await page.getByRole('searchbox').fill('nobody');
  await expect.element(page.getByText('Nothing matches this search.')).toBeVisible();
  expect(page.getByRole('button', { name: /^Check/u }).elements()).toEqual([]);
  const unknown = '5eed0000-0000-4000-8000-000000000001';
  await page.getByRole('searchbox').fill(unknown);
  await expect.element(page.getByText('This code is not in the history.')).toBeVisible();
  // Filters and headings of nothing are of no use.
  for (const chip of ['Supported 0', 'Not found 0'])
    await expect
      .element(page.getByRole('button', { name: chip }))
      .toHaveAttribute('aria-disabled', 'true');
  for (const field of ['Connection', 'From', 'To'])
    await expect.element(page.getByLabelText(field)).toBeDisabled();
  expect(page.getByRole('row').first().element().clientHeight).toBe(0);
  await page.getByRole('button', { name: 'Check 1 code' }).click();
  await expect.poll(() => checked).toEqual([unknown]);
});

test('a number of days that is being typed stays while another setting is stored', async () => {
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [demo] },
    ports: (app) => app.provide(historyPort, noHistory),
  });
  await page.getByRole('button', { name: 'History settings' }).click();
  await page.getByLabelText('Days to keep it').fill('29');
  // As a shortcut of the system or a switch does, which leaves the focus where it is.
  const whole = page.getByRole('switch', { name: 'Keep full codes' });
  (whole.element() as HTMLElement).click();
  await expect.element(whole).toBeChecked();
  await expect.element(page.getByLabelText('Days to keep it')).toHaveValue(29);
});

test('in half a desktop screen what saves the codes takes no line from the rows', async () => {
  await page.viewport(800, 800);
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) => app.provide(historyPort, historyOf(answers)),
  });
  const middleOf = (element: Element): number => {
    const { top, bottom } = element.getBoundingClientRect();
    return (top + bottom) / 2;
  };
  const sum = page.getByRole('status').getByText('2 codes');
  await expect.element(sum).toBeVisible();
  const days = page.getByLabelText('From').element();
  expect(Math.abs(middleOf(sum.element()) - middleOf(days))).toBeLessThan(4);
  const gear = page.getByRole('button', { name: 'History settings' });
  expect(middleOf(page.getByRole('button', { name: 'CSV' }).element())).toBe(
    middleOf(gear.element()),
  );
  await page.viewport(1280, 800);
});

test('the checks stand under their days with the totals of each, and a day is shown alone by a press on it', async () => {
  const saved: string[] = [];
  const day = 86_400_000;
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app
        .provide(saveFilePort, ({ name, content }) => saved.push(`${name}\n${String(content)}`))
        .provide(historyPort, {
          ...noHistory,
          latest: () =>
            Promise.resolve([
              ...answers,
              {
                ...answerOf(day, '8678…dece', 'demo', true),
                codeId: 'x',
              },
            ]),
        }),
  });
  const headings = page.getByRole('row').filter({ has: page.getByText(/^\d codes?$/u) });
  await expect.element(headings.nth(0)).toHaveTextContent('today2 codesSupported 1 Not found 1');
  await expect.element(headings.nth(1)).toHaveTextContent('yesterday1 codeSupported 1');
  const today = headings.nth(0).getByText('today').element();
  expect(getComputedStyle(today, '::first-letter').textTransform).toBe('uppercase');
  const [wide] = headings.nth(0).getByRole('gridcell').elements();
  expect(wide?.scrollWidth).toBe(wide?.clientWidth);
  expect(headings.nth(0).getByRole('gridcell').elements()).toHaveLength(1);
  const [dayRow, codeRow] = page.getByRole('row').elements().slice(1);
  expect(dayRow?.clientHeight).toBe(codeRow?.clientHeight);
  await expect.element(page.getByText('8678…dece', { exact: true })).toBeVisible();
  await headings.nth(1).click();
  await expect.element(page.getByRole('status').getByText('1 code')).toBeVisible();
  await expect.element(page.getByLabelText('From')).toHaveValue('2026-11-19');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect(saved[0]).toMatch(/^history-2026-11-20\.csv\n\uFEFFChecked at,Code,Verdict,/u);
  expect(saved[0]).toContain(',8678…dece,Supported,supported,');
  expect(saved[0]?.split('\r\n')).toHaveLength(3);
  await page.getByRole('button', { name: 'Any day' }).click();
  await expect.element(page.getByRole('status').getByText('3 codes')).toBeVisible();
  await expect.element(page.getByLabelText('From')).toHaveFocus();
});

test.each([
  { recorded: true, says: 'says how far it is, and ends in no empty line' },
  { recorded: false, says: 'is not shown, as nothing of it is in an erased history' },
])('a bulk check that can go on $says', async ({ recorded }) => {
  const codes = ['a', 'b', 'c'].map((letter) => code.replace(/^./u, letter));
  const answered = { outcome: succeed(answerOf(1, code, 'market', false).answer), checkedAt: now };
  const job = { id: 'job', name: 'orders.csv', createdAt: now, connectionIds: ['market'] };
  // Another connection has still to answer, so that the answer is no verdict yet.
  const first: HistoryEntry = {
    ...answerOf(1, code, 'market', false),
    by: 'bulk',
    jobId: 'job',
    asked: ['market', 'demo'],
  };
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection()] },
    ports: (app) =>
      app.provide(historyPort, historyOf(recorded ? [first] : [])).provide(jobsPort, {
        ...noJobs,
        jobs: () => Promise.resolve([{ ...job, state: 'paused' }]),
        rows: (jobId) =>
          Promise.resolve(
            codes.map((each, index) => ({
              jobId,
              index,
              connectionId: 'market',
              code: each,
              line: index,
              times: 1,
              ...(index < 2 && answered),
            })),
          ),
      }),
  });
  if (recorded) {
    await expect.element(page.getByText('2 of 3')).toBeVisible();
    const parts = [...document.querySelectorAll('[data-run-words] .dotted')];
    expect(parts.map(({ textContent }) => textContent)).not.toContain('');
  } else {
    await expect.element(page.getByText('Nothing has been checked yet.')).toBeVisible();
    expect(page.getByRole('row').elements()).toEqual([]);
  }
});

test('days the wrong way round are read the right way round', async () => {
  await page.viewport(360, 740);
  growing(3);
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabelText('From').fill('2026-11-25');
  await page.getByLabelText('To').fill('2026-11-02');
  await expect.element(page.getByText('code-1000')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Not found 1' })).toBeVisible();
  // The text button below the fields begins where they begin.
  const anyDay = page.getByRole('button', { name: 'Any day' }).element();
  const text = document.createRange();
  text.selectNodeContents(anyDay.firstChild ?? anyDay);
  const field = page.getByLabelText('From').element();
  expect(text.getBoundingClientRect().left).toBe(field.getBoundingClientRect().left);
});

/** Shows a history of so many codes, the latest first, that grows while it is shown. */
function growing(count: number, tickets = false): { add: (...entries: HistoryEntry[]) => void } {
  const stored: HistoryEntry[] = Array.from({ length: count }, (_, at) =>
    answerOf(1000 + at, `code-${String(1000 + at)}`, 'market', at % 2 === 0),
  );
  let changed = (): void => undefined;
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app
        .provide(historyPort, {
          ...noHistory,
          settings: () => Promise.resolve({ ...defaultHistorySettings, tickets }),
          latest: () => Promise.resolve([...stored]),
          ofCode: (codeId) => Promise.resolve(stored.filter((one) => one.codeId === codeId)),
        })
        .provide(historyChangesPort, (heard) => {
          changed = heard;
          return () => undefined;
        }),
  });
  return {
    add(...entries) {
      stored.unshift(...entries);
      changed();
    },
  };
}
const newCode = (id: number): HistoryEntry => answerOf(id, `new-${String(id)}`, 'market', true);
const count = (text: string) => page.getByRole('status').getByText(text);

test('what is recorded meanwhile comes into the page, and the rows in view stay where they are', async () => {
  await page.viewport(1000, 700);
  const { add } = growing(200);
  await expect.element(count('200 codes')).toBeVisible();
  await page.getByRole('button', { name: 'Supported 100' }).click();
  await expect.element(count('100 codes')).toBeVisible();
  const grid = page.getByRole('grid').element() as HTMLElement;
  add(newCode(1));
  // At the top it is seen.
  await expect.element(page.getByText('new-1', { exact: true })).toBeVisible();
  expect(grid.scrollTop).toBe(0);
  grid.scrollTop = 1500;
  await expect.element(page.getByText('code-1080', { exact: true })).toBeVisible();
  const place = (): number =>
    page.getByText('code-1080', { exact: true }).element().getBoundingClientRect().top;
  const before = place();
  add(newCode(3), newCode(2));
  await expect.element(count('103 codes')).toBeVisible();
  await expect.poll(place).toBe(before);
  await expect
    .element(page.getByRole('button', { name: 'Supported 103' }))
    .toHaveAttribute('aria-pressed', 'true');
  // Nobody is told of each code that a bulk check records, as one is of what one looks for.
  expect(page.getByRole('status').first().element().getAttribute('aria-live')).toBe('off');
  await page.getByRole('button', { name: 'Supported 103' }).click();
  await expect.element(count('203 codes')).toBeVisible();
  expect(page.getByRole('status').first().element().getAttribute('aria-live')).toBeNull();
});

test('the row that was gone to stays the active one while others come before it', async () => {
  await page.viewport(1000, 700);
  const { add } = growing(20);
  await expect.element(count('20 codes')).toBeVisible();
  const grid = page.getByRole('grid').element() as HTMLElement;
  grid.focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  const active = (): string | null | undefined =>
    document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent;
  const chosen = active();
  expect(chosen).toContain('code-1001');
  add(newCode(1));
  await expect.element(count('21 codes')).toBeVisible();
  expect(active()).toBe(chosen);
  expect(document.activeElement).toBe(grid);
});

test('the dialog stays open over what is recorded meanwhile, with what is being typed in it', async () => {
  const { add } = growing(3, true);
  await page.getByText('code-1000', { exact: true }).click();
  const dialog = page.getByRole('dialog');
  const note = page.getByLabelText('Note');
  await note.fill('asked for an invoice');
  await expect.element(dialog.getByText('1 of 3')).toBeVisible();
  add(newCode(1), { ...answerOf(2, 'code-1000', 'market', false), question: 'again' });
  await expect.element(dialog.getByText('Each check')).toBeVisible();
  await expect.element(dialog.getByText('2 of 4')).toBeVisible();
  expect(document.querySelector('.grid-row.chosen')?.textContent).toContain('code-1000');
  await expect.element(note).toHaveValue('asked for an invoice');
  await expect.element(note).toHaveFocus();
});

test('a plain chip is seen on the row that the pointer is at, in light and dark', async () => {
  await page.viewport(1000, 700);
  const run = { ...answerOf(1, code, 'market', true), by: 'bulk', jobId: 'gone' } as const;
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection()] },
    ports: (app) =>
      app.provide(historyPort, {
        ...noHistory,
        latest: () => Promise.resolve([run, { ...run, id: 2, codeId: otherCode, code: otherCode }]),
      }),
  });
  const row = page.getByRole('row').nth(2);
  await expect.element(row.getByText('Bulk check')).toBeVisible();
  const { dataset } = document.documentElement;
  onTestFinished(() => {
    delete dataset['theme'];
  });
  await row.hover();
  const lightness = (element: Element): number =>
    Number(/oklch\(([\d.]+)/u.exec(getComputedStyle(element).backgroundColor)?.[1]);
  for (const theme of ['light', 'dark']) {
    dataset['theme'] = theme;
    const ground = lightness(row.element());
    expect(Math.abs(lightness(row.getByText('Bulk check').element()) - ground)).toBeGreaterThan(
      0.03,
    );
  }
});

test.each([
  [320, 'normal'],
  [360, 'normal'],
  [360, '0.12em'],
  [470, 'normal'],
  [700, 'normal'],
  [1280, 'normal'],
])(
  'at %i px, its letters %s apart, nothing is cut of what a stopped bulk check came to, and no line is empty',
  async (width, letterSpacing) => {
    await page.viewport(width, 800);
    document.documentElement.style.letterSpacing = letterSpacing;
    onTestFinished(() => {
      document.documentElement.style.letterSpacing = '';
    });
    const codes = Array.from({ length: 40 }, (_, at) => `code-${String(at)}`);
    const jobs: BulkJob[] = [
      { kind: 'offline' } as const,
      { kind: 'no-key', reason: 'never-entered' } as const,
      undefined,
    ].map((fault, at) => ({
      id: `job-${String(at)}`,
      name:
        ['bestellungen.csv', 'Kundenliste Nordwest, letzte Fassung.csv', 'halle-7.csv'][at] ?? '',
      createdAt: now - 1000,
      connectionIds: ['market'],
      state: 'paused' as const,
      ...(fault && {
        pausedBy: { kind: 'fault', at: now, fault, connectionId: 'market' } as const,
      }),
    }));
    const recorded = [...jobs.map(({ id }) => id), 'later'].flatMap((jobId, job) =>
      codes.slice(0, jobId === 'later' ? 22 : 30).map((asked, at) => ({
        ...answerOf(1000 * (3 - job) + at, asked, 'market', at % 3 > 0),
        by: 'bulk' as const,
        jobId,
        question: jobId,
      })),
    );
    mounting(HistoryPage, {
      props: { route: { section: 'history' } },
      messages: { ...germanAnswers, ...germanDesk },
      script: { 'connections.list': () => [connection()] },
      ports: (app) =>
        app
          .provide(historyPort, {
            ...noHistory,
            latest: () => Promise.resolve(recorded.toSorted((a, b) => b.checkedAt - a.checkedAt)),
          })
          .provide(jobsPort, {
            ...noJobs,
            jobs: () => Promise.resolve(jobs),
            rows: (jobId) =>
              Promise.resolve(
                codes.map((code, index) => ({
                  jobId,
                  index,
                  connectionId: 'market',
                  code,
                  line: index,
                  times: 1,
                  ...(index < 30 && {
                    outcome: succeed(answerOf(index, code, 'market', index % 3 > 0).answer),
                    checkedAt: now,
                  }),
                })),
              ),
          }),
    });
    await expect.poll(() => document.querySelectorAll('[data-run]').length).toBe(4);
    const told = [
      ...document.querySelectorAll<HTMLElement>('[role=gridcell]:has([data-run-words])'),
    ]
      .filter((cell) => cell.closest('[role=row]')?.querySelector('[data-run]'))
      .map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        const { lineHeight, webkitLineClamp } = getComputedStyle(cell);
        const lines = range.getBoundingClientRect().height / Number.parseFloat(lineHeight);
        return {
          text: cell.textContent,
          lines: Math.round(lines),
          room: Number.parseInt(webkitLineClamp, 10) || 1,
        };
      });
    expect(told).toHaveLength(4);
    const chips = [...document.querySelectorAll<HTMLElement>('[data-run]')];
    expect(chips.map(({ innerText }) => innerText.trim())).toEqual([
      'Sammelprüfung',
      'Angehalten',
      'Gestoppt',
      'Gestoppt',
    ]);
    expect(told.map(({ text }) => /^.+(?= 30 von 40)/u.exec(text)?.[0])).toEqual([
      undefined,
      'halle-7.csv',
      'Kundenliste Nordwest, letzte Fassung.csv',
      'bestellungen.csv',
    ]);
    // A name is cut in its middle, and only where it needs to be.
    const drawn = () =>
      [...document.querySelectorAll<HTMLElement>('[data-drawn]')].map(
        ({ dataset }) => dataset['drawn'],
      );
    await expect
      .poll(drawn)
      .toEqual(['halle-7.csv', expect.stringMatching(/^Kunden.*sung\.csv$/u), 'bestellungen.csv']);
    expect(told.map(({ text, room }) => ({ text, lines: room }))).toEqual(
      told.map(({ text, lines }) => ({ text, lines })),
    );
  },
);

/** Shows a history with two bulk checks, the later of which is deleted, and a code between them. */
function showRuns(): void {
  const name = 'Orbit CRM, the customer relationship manager for teams of every size';
  const job: BulkJob = {
    id: 'job',
    name: 'orders.csv',
    createdAt: now - 90_000,
    connectionIds: ['market', 'demo'],
    state: 'done',
  };
  const recorded = [
    ...['a', 'b'].map((code, at) => ({
      ...answerOf(at, code, 'market', false),
      by: 'bulk' as const,
      jobId: 'gone',
    })),
    {
      ...answerOf(3, 'alone', 'market', true),
      answer: summariseAnswer({
        kind: 'purchase',
        purchase: purchase({ item: { ...purchase().item, name } }),
      }),
    },
    ...['c', 'd'].map((code, at) => ({
      ...answerOf(1000 * (4 + at), code, 'market', false),
      by: 'bulk' as const,
      jobId: 'job',
    })),
  ];
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app.provide(historyPort, historyOf(recorded)).provide(jobsPort, {
        ...noJobs,
        jobs: () => Promise.resolve([job]),
        rows: () => Promise.resolve([]),
      }),
  });
}

test('no moment and no connection is cut in a sorted history with whole codes', async () => {
  await page.viewport(1000, 800);
  const days = [0, 1, 40, 80, 120, 160, 200, 240, 280, 320];
  const recorded = [code, otherCode].flatMap((asked, at) =>
    days.flatMap((day, index) =>
      ['market', 'demo'].map((connectionId) => ({
        ...answerOf(
          40 * at + index,
          `${asked.slice(0, -2)}${String(10 + index)}`,
          connectionId,
          true,
        ),
        connectionName: connectionId === 'market' ? 'Market' : 'Demo shop',
        checkedAt: now - day * 86_400_000 - 16 * 60_000,
        question: `${asked} ${String(index)}`,
      })),
    ),
  );
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app.provide(historyPort, { ...noHistory, latest: () => Promise.resolve(recorded) }),
  });
  await page.getByRole('columnheader').last().getByRole('button').click();
  await expect
    .poll(() => document.querySelectorAll('[role=gridcell] time').length)
    .toBeGreaterThan(9);
  const cut = [...document.querySelectorAll<HTMLElement>('[role=gridcell]')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ textContent }) => textContent);
  expect(cut).toEqual([]);
  const moments = [...document.querySelectorAll('[role=gridcell] time')].map(
    ({ textContent }) => textContent,
  );
  expect(moments).toContainEqual(expect.stringMatching(/^\d\d?:\d\d/u));
  expect(moments).toContainEqual(expect.stringMatching(/ 202\d$/u));
});

test('a bulk run has its connection in the column of connections, and the moment that its list tells', async () => {
  await page.viewport(1280, 800);
  showRuns();
  const run = page.getByRole('row').filter({ hasText: 'orders.csv' });
  await expect.element(run).toBeVisible();
  const heading = page.getByRole('columnheader', { name: 'Connection' }).element();
  const cellsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>('[role=gridcell]')];
  for (const row of page.getByRole('row').filter({ hasText: 'Market' }).elements()) {
    const connectionCell = cellsOf(row).find(({ textContent }) => textContent.trim() === 'Market');
    expect(connectionCell?.getBoundingClientRect().left).toBe(heading.getBoundingClientRect().left);
    // No cell lies under the next one.
    const edges = cellsOf(row).map((cell) => cell.getBoundingClientRect());
    for (const [at, edge] of edges.entries())
      expect(edge.right).toBeLessThanOrEqual(edges[at + 1]?.left ?? Infinity);
  }
  const time = run.element().querySelector('time');
  expect(time?.dateTime).toBe(new Date(now - 90_000).toISOString());
  await expect.element(page.getByRole('columnheader', { name: 'Result' })).toBeVisible();
});

test('the dialog of a bulk run leads to the next and the previous run', async () => {
  await page.viewport(1280, 800);
  showRuns();
  await page.getByText('orders.csv').click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText('2 of 2')).toBeVisible();
  await expect.element(dialog.getByText('orders.csv')).toBeVisible();
  await dialog.getByRole('button', { name: 'Previous' }).click();
  await expect.element(dialog.getByText('1 of 2')).toBeVisible();
  await expect.element(dialog.getByText('Bulk check of 2 codes')).toBeVisible();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(dialog.getByText('orders.csv')).toBeVisible();
  expect(page.getByRole('dialog').elements()).toHaveLength(1);
});

test('a bulk run that ended without all answers says so in its row and its dialog, as the list of bulk checks does', async () => {
  await page.viewport(1280, 800);
  const job: BulkJob = {
    id: 'job',
    name: 'orders.csv',
    createdAt: now - 1000,
    connectionIds: ['market', 'demo'],
    state: 'done',
  };
  const missing = succeed({ kind: 'not-found', msg: 'No.', key: 'good', proven: true } as const);
  const late = fail({ kind: 'timeout', afterMs: 1 } as const);
  // Of the second code one connection has given an answer, of the third none.
  const outcomes = { a: [missing, missing], b: [missing, late], c: [late, late] };
  const rows = Object.entries(outcomes).flatMap(([code, each], line) =>
    each.map((outcome, at) => ({
      jobId: 'job',
      index: 2 * line + at,
      connectionId: job.connectionIds[at] ?? '',
      code,
      line,
      times: 1,
      checkedAt: now,
      outcome,
    })),
  );
  const recorded = (
    [
      ['a', 'market'],
      ['a', 'demo'],
      ['b', 'market'],
    ] as const
  ).map(([code, connectionId], at): HistoryEntry => ({
    ...answerOf(at, code, connectionId, false),
    by: 'bulk',
    jobId: 'job',
    asked: job.connectionIds,
  }));
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app
        .provide(historyPort, { ...noHistory, latest: () => Promise.resolve(recorded) })
        .provide(jobsPort, {
          ...noJobs,
          jobs: () => Promise.resolve([job]),
          rows: () => Promise.resolve(rows),
        }),
  });
  const run = page.getByRole('row').filter({ hasText: 'orders.csv' });
  await expect
    .poll(() => run.element().textContent)
    .toMatch(/^Answers missing3 codesorders\.csv 1 of 3/u);
  await run.click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.element().textContent).toMatch(/Answers missing/u);
  await expect.poll(() => dialog.element().textContent).toMatch(/Not found1No answer2/u);
});

test('a bulk run whose counts just fit a line has no empty one', async () => {
  const counts = [12, 3, 4, 6];
  const { supportedUntil: _, ...withoutSupport } = purchase();
  const given = [
    summariseAnswer({ kind: 'purchase', purchase: purchase() }),
    summariseAnswer({ kind: 'purchase', purchase: purchase({ supportedUntil: now - 1000 }) }),
    summariseAnswer({ kind: 'purchase', purchase: withoutSupport }),
    { kind: 'not-found', msg: 'No.', key: 'good', proven: true } as const,
  ];
  const recorded = counts.flatMap((count, kind) =>
    Array.from({ length: count }, (__, at): HistoryEntry => ({
      ...answerOf(100 * kind + at, `code-${String(kind)}-${String(at)}`, 'market', true),
      by: 'bulk',
      jobId: 'job',
      answer: given[kind] ?? { kind: 'not-found', msg: '', key: 'good', proven: true },
    })),
  );
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection()] },
    ports: (app) =>
      app.provide(historyPort, {
        ...noHistory,
        latest: () => Promise.resolve(recorded.toSorted((a, b) => b.checkedAt - a.checkedAt)),
      }),
  });
  const seen: [lines: number, height: number][] = [];
  for (let width = 419; width < 440; width += 1) {
    await page.viewport(width, 800);
    await expect.poll(() => document.querySelector('[role=grid]')?.clientWidth).toBe(width - 2);
    // The page has its new width before it tells the table, which then draws its rows anew.
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const row = document.querySelector<HTMLElement>('[role=row]:has([data-run])');
    const parts = [...(row?.querySelectorAll('[data-run-words] .dotted > span > span') ?? [])];
    const lines = new Set(parts.map((part) => part.getBoundingClientRect().top)).size;
    seen.push([lines, row?.offsetHeight ?? 0]);
  }
  const heightsOf = (lines: number) =>
    new Set(seen.flatMap(([each, height]) => (each === lines ? [height] : [])));
  expect(heightsOf(1)).toEqual(new Set([84]));
  expect(heightsOf(2)).toEqual(new Set([106]));
});

test('where the history is off, the page says that nothing is kept, and its button keeps one', async () => {
  let days = 0;
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: {},
    ports: (app) =>
      app.provide(historyPort, {
        ...noHistory,
        settings: () => Promise.resolve({ ...defaultHistorySettings, days }),
        changeSettings: (changes) => {
          const before = { ...defaultHistorySettings, days };
          days = changes.days ?? days;
          return Promise.resolve(succeed({ before, after: { ...before, days } }));
        },
      }),
  });
  await expect.element(page.getByRole('status').getByText('Nothing is kept')).toBeVisible();
  const check = page.getByRole('link', { name: 'Check a code' });
  await expect.element(check).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Keep a history' }).click();
  await expect.element(page.getByText('Nothing has been checked yet.')).toBeVisible();
  await expect.element(check).toHaveFocus();
  expect(days).toBe(defaultHistorySettings.days);
});
