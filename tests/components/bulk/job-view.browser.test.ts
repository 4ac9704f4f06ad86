import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { defineComponent, h, nextTick, ref } from 'vue';

import '#components/ui/desk-pages.css';
import BulkPage from '#components/bulk/BulkPage.vue';
import type { ConnectionState } from '#core/connections/index';
import { summariseAnswer } from '#core/check/index';
import type { Fault } from '#core/marketplaces/index';
import type { JobSource } from '#core/bulk/index';
import { fail, omitUndefined, succeed } from '#core/result';
import { translatedLanguages } from '#core/text/index';
import germanAnswers from '#locales/de/answer.json';
import germanDesk from '#locales/de/desk.json';
import items from '#locales/en/items.json';
import { jobsPort } from '#stores/bulk/ports';
import { useConnections } from '#stores/connections/connections';
import { type SaveFile, saveFilePort } from '#stores/ports';
import { pressWhileComposing } from '#tests/components/composing';
import { mountBulk, mounting, noJobs, type PageHarness } from '#tests/components/mounted';
import { code, connection, demo, now, purchase } from '#tests/stores/check/samples';
import type { BulkJob, BulkRow, JobUpdate } from '#core/jobs/index';

const job: BulkJob = {
  id: 'job',
  name: 'orders.csv',
  createdAt: now,
  connectionIds: ['market'],
  state: 'running',
};
const row = { jobId: 'job', index: 0, connectionId: 'market', code, line: 1, times: 1 };
/** The page that lists all bulk checks. */
const allChecks = { route: { section: 'bulk' } };
/** The names that jobs were given. */
const renamed: string[] = [];
/** Returns what stands in the head about a stop. */
function stopNotice(): Promise<HTMLElement> {
  return vi.waitUntil(() => document.querySelector<HTMLElement>('[data-stop]'));
}
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** A job's name, the file it came of, and what takes the file that it becomes. */
interface JobFile {
  readonly name?: string;
  readonly source?: JobSource<Blob>;
  readonly saveFile?: SaveFile;
  /** Whether the disk has no room for a change. */
  readonly isDiskFull?: boolean;
  /** The texts of another language. */
  readonly messages?: Record<string, unknown>;
  readonly connections?: () => ConnectionState[];
  /** How the job is stored. */
  readonly stored?: Partial<BulkJob>;
}

/** Announces another state of the job, or something else of it. */
interface JobPage {
  (changed: Partial<BulkJob>): void;
  readonly announce: (update: JobUpdate) => void;
  readonly harness: PageHarness;
}

/** Shows a job that does what it is told. */
const eightRows: readonly BulkRow[] = Array.from({ length: 8 }, (_, index) => ({
  ...row,
  index,
  code: `code-${String(index)}-1234567`,
}));

function jobPage(
  rows: readonly BulkRow[] = [row],
  {
    name = job.name,
    source,
    saveFile = () => undefined,
    isDiskFull = false,
    messages = {},
    connections = () => [connection(), demo],
    stored = {},
  }: JobFile = {},
): JobPage {
  let announce: (update: JobUpdate) => void = () => undefined;
  const change = (changed: Partial<BulkJob>): void => {
    announce({ kind: 'job', job: { ...job, ...changed } });
  };
  const Page = defineComponent(() => {
    void useConnections().load();
    return () => [h('h1', { tabindex: -1 }, 'Desk'), h(BulkPage, { route })];
  });
  const route = { section: 'bulk', jobId: 'job' } as const;
  const harness = mounting(Page, {
    messages,
    script: {
      'connections.list': connections,
      'bulk.set': ({ to }) => {
        if (isDiskFull) return fail({ kind: 'storage-full' });
        // Nothing of a job waits whose rows all have their outcome.
        const isAsked = rows.every(({ outcome }) => outcome !== undefined);
        change({ state: to === 'cancelled' && isAsked ? 'done' : to });
        return succeed(null);
      },
      'bulk.retry': () => {
        change({ state: 'running' });
        return succeed(null);
      },
      'bulk.skip': () => {
        change({ state: 'running' });
        return succeed(null);
      },
      'bulk.rename': ({ name }) => {
        renamed.push(name);
        change({ name });
        return succeed(null);
      },
      'bulk.drive': () => new Promise(() => undefined),
    },
    ports: (app) =>
      app.provide(saveFilePort, saveFile).provide(jobsPort, {
        ...noJobs,
        source: () => Promise.resolve(source),
        jobs: () => Promise.resolve([{ ...job, name, ...stored }]),
        rows: () => Promise.resolve([...rows]),
        watch: (changed) => {
          announce = changed;
          return () => undefined;
        },
      }),
  });
  return Object.assign(change, {
    harness,
    announce: (update: JobUpdate) => {
      announce(update);
    },
  });
}

const notFound = {
  ok: true,
  value: { kind: 'not-found', msg: 'No.', key: 'good', proven: true },
} as const;
const missing = ['a', 'b', 'c'].map((letter, index) => ({
  ...row,
  index,
  code: code.replace(/^./u, letter),
  line: index + 1,
  outcome: notFound,
  checkedAt: now,
}));

test('by keyboard: the button that comes in the place of another has the focus', async () => {
  jobPage();
  await expect.element(button('Pause')).toBeVisible();
  button('Pause').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Resume')).toHaveFocus();
  await expect.poll(isHeld).toBe(false);
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Pause')).toHaveFocus();
});

test('a second press on Pause does not resume, and Cancel keeps its place', async () => {
  await page.viewport(1280, 800);
  jobPage();
  await expect.element(button('Pause')).toBeVisible();
  const placeOfCancel = (): number => button('Cancel').element().getBoundingClientRect().left;
  const before = placeOfCancel();
  await button('Pause').click();
  await expect.element(button('Resume')).toBeVisible();
  expect(placeOfCancel()).toBeCloseTo(before, 0);
  (button('Resume').element() as HTMLElement).click();
  await expect.poll(isHeld).toBe(false);
  expect(button('Pause').query()).toBeNull();
  await button('Resume').click();
  await expect.element(button('Pause')).toBeVisible();
  expect(placeOfCancel()).toBeCloseTo(before, 0);
});

test.each([528, 560, 600, 639, 640])('at %i px a job scrolls nothing sideways', async (width) => {
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(width, 800);
  jobPage(missing);
  await expect.element(page.getByRole('searchbox')).toBeVisible();
  await expect.poll(() => document.documentElement.clientWidth).toBe(width);
  expect(document.documentElement.scrollWidth).toBe(width);
});

test.each([
  [640, 608],
  [719, 687],
  [1100, 788],
  [1239, 927],
])(
  'at %i px, %i of its own, the search ends where the rows end in German too, whose words are longer',
  async (width, own) => {
    onTestFinished(() => page.viewport(1280, 800));
    await page.viewport(width, 800);
    beside(own);
    jobPage([row], { messages: { ...germanAnswers, ...germanDesk } });
    await expect.element(page.getByRole('grid')).toBeVisible();
    const rightOf = (role: 'searchbox' | 'grid'): number =>
      page.getByRole(role).element().getBoundingClientRect().right;
    await expect.poll(() => rightOf('searchbox')).toBeLessThanOrEqual(rightOf('grid'));
  },
);

test('the filters count what the search finds', async () => {
  jobPage([...missing, { ...row, index: 3, code: code.replace(/^./u, 'd') }]);
  const filter = page.getByRole('group', { name: 'Filter by verdict' });
  await expect.element(filter.getByRole('button', { name: 'Not found 3' })).toBeVisible();
  await page.getByRole('searchbox').fill(missing[1]?.code ?? '');
  await expect.element(filter.getByRole('button', { name: 'Not found 1' })).toBeVisible();
  await expect.element(filter.getByRole('button', { name: 'Waiting 0' })).toBeVisible();
});

test('what was searched for in one check is not searched for in the next', async () => {
  const shown = ref('job');
  mounting(
    defineComponent(() => () => h(BulkPage, { route: { section: 'bulk', jobId: shown.value } })),
    {
      script: { 'connections.list': () => [connection()] },
      ports: (app) =>
        app.provide(jobsPort, {
          ...noJobs,
          jobs: () => Promise.resolve([job, { ...job, id: 'next', name: 'next.csv' }]),
          rows: (jobId) => Promise.resolve([{ ...row, jobId }]),
        }),
    },
  );
  await page.getByRole('searchbox').fill('nobody');
  shown.value = 'next';
  await expect.element(page.getByText('next.csv')).toBeVisible();
  await expect.element(page.getByRole('searchbox')).toHaveValue('');
});

test('a pause that cannot be stored says so beside the job', async () => {
  jobPage([row], { isDiskFull: true });
  await button('Pause').click();
  await expect.poll(() => page.getByRole('alert').query()?.textContent).toContain('disk is full');
});

test('a job that is done while a button has the focus does not lead it to the one that deletes', async () => {
  const change = jobPage();
  await expect.element(button('Pause')).toBeVisible();
  button('Pause').element().focus();
  change({ state: 'done' });
  await expect.element(button('Pause')).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Desk' })).toHaveFocus();
});

test.each([360, 1280])(
  'at %i px the rows stay where they are, whatever the job does',
  async (width) => {
    await page.viewport(width, 800);
    const { announce } = jobPage(missing);
    const grid = page.getByRole('grid');
    await expect.element(button('Pause')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Not found 3' })).toBeVisible();
    const top = (): number => grid.element().getBoundingClientRect().top;
    const before = top();
    const until = now + 34_000;
    const limit = { kind: 'rate-limited', retryAt: until, by: 'pacing' } as const;
    announce({ kind: 'wait', connectionId: 'market', fault: limit, until });
    await expect.element(page.getByText('Slowing down for Market', { exact: true })).toBeVisible();
    expect(top()).toBe(before);
    const { left, width: own } = button('Pause').element().getBoundingClientRect();
    await button('Pause').click();
    await expect.element(button('Resume')).toBeVisible();
    expect(top()).toBe(before);
    // A second press on the same place does not cancel.
    const cancel = button('Cancel').element().getBoundingClientRect();
    expect(cancel.right).toBeLessThan(left + own / 2);
    announce({ kind: 'job', job: { ...job, state: 'done' } });
    await expect.element(button('Refresh 3 not found')).toBeVisible();
    expect(top()).toBe(before);
    const fault = { kind: 'no-key', reason: 'never-entered' } as const;
    const pausedBy = { kind: 'fault', at: now, fault, connectionId: 'market' } as const;
    announce({ kind: 'job', job: { ...job, state: 'paused', pausedBy } });
    await expect.element(await stopNotice()).toBeInViewport();
    expect(top()).toBe(before);
  },
);

test.each([
  [1280, 968, 'en'],
  [1280, 968, 'de'],
  [800, 768, 'en'],
  [800, 768, 'de'],
  [800, 488, 'en'],
] as const)(
  'at %i px, %i of its own, a check that a wrong key stops leaves its table where it is (%s)',
  async (width, own, language) => {
    await page.viewport(width, 800);
    beside(own);
    const messages = language === 'de' ? { ...germanAnswers, ...germanDesk } : {};
    const { announce } = jobPage(missing, { messages });
    const pause = button(language === 'de' ? 'Anhalten' : 'Pause');
    await expect.element(pause).toBeVisible();
    const top = (): number => page.getByRole('grid').element().getBoundingClientRect().top;
    const before = top();
    const { right, top: line } = pause.element().getBoundingClientRect();
    const fault = { kind: 'refused', about: 'key', msg: 'Invalid request' } as const;
    const pausedBy = {
      kind: 'fault',
      at: now,
      fault,
      connectionId: 'market',
      putBack: 12,
    } as const;
    announce({ kind: 'job', job: { ...job, state: 'paused', pausedBy } });
    await stopNotice();
    expect(top()).toBe(before);
    // The button that resumes stands where the one that pauses stood.
    const resume = button(language === 'de' ? 'Fortsetzen' : 'Resume')
      .element()
      .getBoundingClientRect();
    expect([resume.right, resume.top]).toEqual([right, line]);
    await page.viewport(1280, 800);
  },
);

test('on a phone a stop moves neither the head nor the rows, and its steps are in view wherever the page is', async () => {
  await page.viewport(360, 700);
  beside(328);
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...row,
    index,
    code: `code-${String(index)}-1234567`,
  }));
  const { announce } = jobPage(rows);
  await expect.element(button('Pause')).toBeVisible();
  const tops = (): (number | undefined)[] =>
    ['[role="grid"]', '.job-head', '.job-words:not([aria-hidden] *)'].map((part) =>
      Math.round(document.querySelector(part)?.getBoundingClientRect().top ?? 0),
    );
  const before = tops();
  const fault = { kind: 'refused', about: 'key', msg: '' } as const;
  const pausedBy = { kind: 'fault', at: now, fault, connectionId: 'market' } as const;
  announce({ kind: 'job', job: { ...job, state: 'paused', pausedBy } });
  await expect.element(button('Open settings')).toBeInViewport();
  expect([...tops(), scrollY]).toEqual([...before, 0]);
  scrollTo(0, 900);
  await expect.element(button('Open settings')).toBeInViewport();
  // The last row and what follows it can be scrolled clear of the steps.
  scrollTo(0, document.documentElement.scrollHeight);
  const notice = (await stopNotice()).getBoundingClientRect();
  const codes = page.getByText('60 codes').element().getBoundingClientRect();
  expect(codes.bottom).toBeLessThanOrEqual(notice.top);
  scrollTo(0, 0);
  announce({ kind: 'job', job });
  await expect.element(button('Pause')).toBeVisible();
  expect([...tops(), scrollY]).toEqual([...before, 0]);
  await page.viewport(1280, 800);
});

test.each([
  [1000, 1000, 968],
  [800, 800, 768],
  [900, 1000, 588],
])(
  'at %i × %i px a check at two connections that stops and resumes leaves its table where it is',
  async (width, height, own) => {
    await page.viewport(width, height);
    beside(own);
    const two = { ...job, connectionIds: ['market', 'demo'] };
    const { announce } = jobPage(missing);
    announce({ kind: 'job', job: two });
    await expect.element(button('Pause')).toBeVisible();
    const settled = (): Promise<unknown> =>
      new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    await settled();
    const top = (): number => page.getByRole('grid').element().getBoundingClientRect().top;
    const before = top();
    const fault = { kind: 'refused', about: 'key', msg: '' } as const;
    const pausedBy = { kind: 'fault', at: now, fault, connectionId: 'market' } as const;
    announce({ kind: 'job', job: { ...two, state: 'paused', pausedBy } });
    await expect.element(button('Resume without Market')).toBeVisible();
    await settled();
    expect(top()).toBe(before);
    announce({ kind: 'job', job: two });
    await expect.element(button('Pause')).toBeVisible();
    await settled();
    expect(top()).toBe(before);
    await page.viewport(1280, 800);
  },
);

test.each([
  [528, 800],
  [1024, 800],
])(
  'at %i px the notice of a job that has stopped is in view, however far the rows go on, and covers none',
  async (width, height) => {
    await page.viewport(width, height);
    const many = Array.from({ length: 60 }, (_, index) => ({
      ...row,
      index,
      code: `code-${String(index)}-1234567`,
    }));
    const { announce } = jobPage(many);
    await expect.element(button('Pause')).toBeVisible();
    const pausedBy = {
      kind: 'fault',
      at: now,
      fault: { kind: 'offline' },
      connectionId: 'market',
    } as const;
    announce({ kind: 'job', job: { ...job, state: 'paused', pausedBy } });
    const notice = await stopNotice();
    await expect.poll(() => notice.getBoundingClientRect().bottom).toBeLessThanOrEqual(height - 16);
    const { top, bottom } = page.getByRole('grid').element().getBoundingClientRect();
    const { top: begin, bottom: end } = notice.getBoundingClientRect();
    expect(end <= top || begin >= bottom).toBe(true);
    expect(document.querySelector('.job-reason')?.textContent).toMatch(/offline/u);
    await page.viewport(1280, 800);
  },
);

test('in a table that is sorted, the row that was chosen stays chosen while verdicts come', async () => {
  await page.viewport(1280, 800);
  const rows = eightRows;
  const { announce } = jobPage(rows);
  await expect.element(button('Pause')).toBeVisible();
  await page.getByRole('button', { name: 'Verdict', exact: true }).click();
  const grid = page.getByRole('grid').element() as HTMLElement;
  grid.focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  const chosen = (): string | null | undefined =>
    grid.querySelector('[aria-selected=true]')?.textContent;
  const before = chosen();
  expect(before).toContain('code-3');
  const place = (): number =>
    [...grid.querySelectorAll('[role=row]')].findIndex((one) => one.ariaSelected === 'true');
  const at = place();
  const outcome = succeed(summariseAnswer({ kind: 'purchase', purchase: purchase() }));
  announce({
    kind: 'rows',
    rows: rows.slice(5).map((each) => ({ ...each, outcome, checkedAt: now })),
  });
  await expect.poll(() => grid.textContent).toMatch(/Supported/u);
  // It stays in its place too while it has the focus.
  expect(place()).toBe(at);
  grid.blur();
  await expect.poll(place).not.toBe(at);
  expect(chosen()).toBe(before);
});

test.each(['pointer', 'focus'])(
  'while the %s is at the rows of a table that is sorted, none of them moves as answers come',
  async (by) => {
    await page.viewport(1280, 800);
    const rows = eightRows;
    const { announce } = jobPage(rows);
    await expect.element(button('Pause')).toBeVisible();
    await page.getByRole('button', { name: 'Verdict', exact: true }).click();
    const body = page.getByRole('rowgroup');
    const order = (): string =>
      [...body.element().children]
        .map(({ textContent }) => /code-(\d)/u.exec(textContent)?.[1] ?? '')
        .join('');
    if (by === 'pointer') await page.getByRole('row').nth(3).hover();
    else {
      page.getByRole('grid').element().focus();
      await userEvent.keyboard('{ArrowDown}');
    }
    const before = order();
    const outcome = succeed(summariseAnswer({ kind: 'purchase', purchase: purchase() }));
    const finish = (from: number, to: number): void => {
      const finished = rows.slice(from, to).map((each) => ({ ...each, outcome, checkedAt: now }));
      announce({ kind: 'rows', rows: finished });
    };
    finish(5, 8);
    await expect.poll(() => body.element().textContent).toMatch(/Supported/u);
    expect(order()).toBe(before);
    if (by === 'pointer') await page.getByRole('heading', { name: 'orders.csv' }).hover();
    else page.getByRole('grid').element().blur();
    await expect.poll(order).not.toBe(before);
  },
);

test('the dialog of a row counts the rows as they were when it was opened, whatever is answered meanwhile', async () => {
  await page.viewport(1280, 800);
  const { announce } = jobPage(eightRows);
  await page.getByRole('button', { name: 'Waiting 8' }).click();
  await page.getByRole('row').nth(3).hover();
  const outcome = succeed(summariseAnswer({ kind: 'purchase', purchase: purchase() }));
  const finish = (from: number, to: number): void => {
    const finished = eightRows.slice(from, to).map((each) => ({ ...each, outcome }));
    announce({ kind: 'rows', rows: finished });
  };
  finish(0, 5);
  await expect.element(page.getByRole('button', { name: 'Waiting 3' })).toBeVisible();
  await page.getByRole('row').nth(3).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText('3 of 8', { exact: true })).toBeVisible();
  finish(5, 8);
  await expect.element(page.getByText('Waiting 0')).toBeInTheDocument();
  await button('Next').click();
  await expect.element(dialog.getByText('4 of 8', { exact: true })).toBeVisible();
  await button('Close').click();
  await expect.poll(() => page.getByRole('row').elements().length).toBeLessThan(3);
});

test('a key that has worked since is said to have, and Resume is what one does next', async () => {
  let keyWorkedAt = now - 1000;
  const { announce, harness } = jobPage([row], {
    connections: () => [connection({ keyWorkedAt }), demo],
    messages: items,
  });
  await expect.element(button('Pause')).toBeVisible();
  const fault = { kind: 'refused', about: 'key', msg: 'no' } as const;
  const pausedBy = { kind: 'fault', at: now, fault, connectionId: 'market' } as const;
  announce({ kind: 'job', job: { ...job, state: 'paused', pausedBy } });
  const primary = (): string[] =>
    [...document.querySelectorAll<HTMLElement>('.primary')].map(({ innerText }) =>
      innerText.trim(),
    );
  await expect.poll(primary).toEqual(['Open settings']);
  await expect.element(page.getByText('Market does not accept the API key').first()).toBeVisible();
  keyWorkedAt = now + 1000;
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(primary).toEqual(['Resume']);
  const worked = page.getByText(/^Key last worked/);
  await expect.element(worked).toBeVisible();
  const status = document.querySelector('.job-view > .card > [role="status"]');
  expect(status?.textContent).toContain(`Stopped. ${worked.element().textContent}.`);
  harness.clock = now + 60_000;
  announce({
    kind: 'job',
    job: { ...job, name: 'renamed.csv', state: 'paused', pausedBy: { ...pausedBy } },
  });
  await expect.element(page.getByText('renamed.csv')).toBeVisible();
  expect(primary()).toEqual(['Resume']);
  await expect
    .element(page.getByText('Market does not accept the API key').first())
    .not.toBeInTheDocument();
});

test('a key that has worked since the stop is said to have, though the page was opened later', async () => {
  const fault = { kind: 'refused', about: 'key', msg: 'no' } as const;
  const pausedBy = { kind: 'fault', at: now - 60_000, fault, connectionId: 'market' } as const;
  jobPage([row], {
    connections: () => [connection({ keyWorkedAt: now - 30_000 }), demo],
    stored: { state: 'paused', pausedBy },
  });
  await expect.element(page.getByText(/^Key last worked/)).toBeVisible();
  await expect.element(button('Resume')).toHaveClass('primary');
});

test('a screen reader hears of a stop once, with what to do and what becomes of the answers', async () => {
  const change = jobPage();
  await expect.element(button('Pause')).toBeVisible();
  const fault = { kind: 'refused', about: 'key', msg: 'no' } as const;
  const pausedBy = { kind: 'fault', at: now, fault, connectionId: 'market' } as const;
  change({ state: 'paused', pausedBy });
  await expect.element(button('Open settings')).toBeVisible();
  const live = [...document.querySelectorAll('.job-view :is([role="status"], [role="alert"])')].map(
    ({ textContent }) => textContent.trim(),
  );
  expect(live.filter((words) => words !== '')).toEqual([
    expect.stringMatching(/^Stopped\. Market does not accept the API key\. .*Enter the key again/u),
  ]);
  expect(live.join('')).not.toContain('..');
});

test('settings that were changed since are a reason to resume, whatever the key has shown, on its page and in the list', async () => {
  const fault = { kind: 'refused', about: 'key', msg: 'no' } as const;
  const pausedBy = { kind: 'fault', fault, connectionId: 'market', at: now, revision: 1 } as const;
  let revision = 1;
  const { announce } = jobPage([row], { connections: () => [connection({ revision }), demo] });
  await expect.element(button('Pause')).toBeVisible();
  announce({ kind: 'job', job: { ...job, state: 'paused', pausedBy } });
  const refused = page.getByText('Market does not accept the API key');
  const changed = page.getByText('The settings of Market have changed since');
  await expect.element(button('Open settings')).toHaveClass('primary');
  await expect.element(refused.first()).toBeVisible();
  revision = 2;
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.element(button('Resume')).toHaveClass('primary');
  await expect.element(button('Open settings')).not.toBeInTheDocument();
  await expect.element(changed.first()).toBeVisible();
  await expect.element(refused).not.toBeInTheDocument();

  const rows = (): Promise<BulkRow[]> => Promise.resolve([row]);
  const stopped: BulkJob = { ...job, id: 'changed', state: 'paused', pausedBy };
  const since: BulkJob = { ...stopped, pausedBy: { ...pausedBy, revision: 0 } };
  mountBulk(
    defineComponent(() => {
      void useConnections().load();
      return () => h(BulkPage, { route: { section: 'bulk' } });
    }),
    { jobs: () => Promise.resolve([since, { ...stopped, id: 'same' }]), rows },
  );
  const entries = page.getByRole('listitem').filter({ hasText: 'orders.csv' });
  await expect.element(entries.nth(0).getByText(/have changed since/u)).toBeVisible();
  await expect.element(entries.nth(1).getByText(/does not accept/u)).toBeVisible();
  expect(entries.nth(0).element().textContent).not.toMatch(/does not accept/u);
});

describe('a check at two connections that a refused key has stopped', () => {
  const fault = { kind: 'refused', about: 'key', msg: 'The key is not known here' } as const;
  const two = { ...job, connectionIds: ['market', 'demo'] };
  const stopped: BulkJob = {
    ...two,
    state: 'paused',
    pausedBy: { kind: 'fault', fault, connectionId: 'market', at: now, revision: 1, putBack: 12 },
  };
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...row,
    index,
    code: `code-${String(index)}-1234567`,
  }));
  let revision = 1;
  let shown: JobPage;

  beforeEach(async () => {
    await page.viewport(1280, 800);
    beside(968);
    revision = 1;
    shown = jobPage(rows, { connections: () => [connection({ revision }), demo] });
    shown.announce({ kind: 'job', job: two });
    await expect.element(button('Pause')).toBeVisible();
  });

  test('has its reason, the advice and the steps in its head, and Resume where Pause was', async () => {
    const { right, top } = button('Pause').element().getBoundingClientRect();
    shown.announce({ kind: 'job', job: stopped });
    await expect.element(button('Open settings')).toBeVisible();
    const resume = button('Resume').element().getBoundingClientRect();
    expect([resume.right, resume.top]).toEqual([right, top]);
    const head = document.querySelector<HTMLElement>('.job-head')?.innerText;
    expect(head).toMatch(/does not accept the API key/u);
    expect(head).toMatch(/Codes that were not found are waiting again/u);
    expect(head).toMatch(/Resume without Market/u);
  });

  test('leaves the table where it is, as high as it is, when it resumes', async () => {
    shown.announce({ kind: 'job', job: stopped });
    await expect.element(button('Open settings')).toBeVisible();
    const grid = page.getByRole('grid').element();
    const { top, height } = grid.getBoundingClientRect();
    await expect.poll(isHeld).toBe(false);
    await button('Resume').click();
    await expect.element(button('Pause')).toBeVisible();
    await expect.element(button('Open settings')).not.toBeInTheDocument();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const after = grid.getBoundingClientRect();
    expect([after.top, after.height]).toEqual([top, height]);
  });

  test('by keyboard: none of its steps loses the focus', async () => {
    shown.announce({ kind: 'job', job: stopped });
    await expect.element(button('Open settings')).toBeVisible();
    button('Open settings').element().focus();
    await userEvent.keyboard('{Enter}');
    expect(shown.harness.events).toContain('options');
    revision = 2;
    document.dispatchEvent(new Event('visibilitychange'));
    await expect.element(button('Resume')).toHaveFocus();
    button('Resume without Market').element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Pause')).toHaveFocus();
  });
});

test('in the head of a check the Tab key goes from button to button as they stand', async () => {
  await page.viewport(360, 800);
  const { announce } = jobPage(missing);
  announce({ kind: 'job', job: { ...job, connectionIds: ['market', 'demo'] } });
  await expect.element(button('Pause')).toBeVisible();
  const buttons = (): string[] =>
    [...document.querySelectorAll<HTMLElement>('.job-controls button')].map(({ innerText }) =>
      innerText.trim(),
    );
  expect(buttons()).toEqual(['Cancel', 'Pause']);
  const fault = { kind: 'refused', about: 'key', msg: '' } as const;
  const pausedBy = { kind: 'fault', at: now, fault, connectionId: 'market' } as const;
  const two = { ...job, connectionIds: ['market', 'demo'] };
  announce({ kind: 'job', job: { ...two, state: 'paused', pausedBy } });
  await expect.element(button('Open settings')).toBeVisible();
  expect(buttons()).toEqual(['Cancel', 'Resume', 'Open settings', 'Resume without Market']);
  const places = [...document.querySelectorAll('.job-controls button')].map((each) => {
    const { left, top } = each.getBoundingClientRect();
    return 10_000 * Math.round(top) + left;
  });
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  await page.viewport(1280, 800);
});

test.each([360, 600, 720, 800, 1019, 1280])(
  'at %i px the Tab key goes through the page of a check as it is seen, from the link to all checks on',
  async (width) => {
    await page.viewport(width, 800);
    const change = jobPage(missing);
    await expect.element(button('Pause')).toBeVisible();
    const places = (): readonly { name: string; top: number; bottom: number; left: number }[] =>
      [...document.querySelectorAll<HTMLElement>('a, button, input, select')]
        .filter((each) => each.checkVisibility() && each.closest('[role=grid]') === null)
        .map((each) => {
          const { top, bottom, left } = each.getBoundingClientRect();
          return { name: (each.ariaLabel ?? each.innerText).trim(), top, bottom, left };
        });
    expect(places()[0]?.name).toBe('All bulk checks');
    const strays = (): string[] =>
      places().flatMap(({ name, bottom, left }, at, all) => {
        const before = all[at - 1];
        if (before === undefined || bottom > before.bottom + 1) return [];
        return bottom > before.top && left > before.left ? [] : [name];
      });
    expect(strays()).toEqual([]);
    change({ state: 'done' });
    await expect.element(button('Refresh 3 not found')).toBeVisible();
    expect(strays()).toEqual([]);
    await page.viewport(1280, 800);
  },
);

test('in half a desktop screen neither the link to all checks nor a long name takes height from the rows', async () => {
  await page.viewport(800, 800);
  beside(768);
  jobPage(missing, {
    name: 'sales of november 2026 in all regions, with refunds and disputes.csv',
  });
  await expect.element(button('Pause')).toBeVisible();
  const [back] = page.getByRole('link', { name: 'All bulk checks' }).elements();
  const title = page.getByRole('heading', { level: 1 }).last().element();
  const [link, name] = [back, title].map((each) => each?.getBoundingClientRect());
  expect(link?.top).toBeLessThan(name?.bottom ?? 0);
  expect(link?.bottom).toBeGreaterThan(name?.top ?? 0);
  expect(link?.right).toBeLessThanOrEqual(name?.left ?? 0);
  expect(name?.height).toBeLessThan(36);
  await page.viewport(1280, 800);
});

/** Returns where each row of the table begins. */
function topsOfRows(): number[] {
  return [...document.querySelectorAll('[role=rowgroup] > [role=row]')].map(
    (each) => each.getBoundingClientRect().top,
  );
}

/** Gives the page the width that it has beside the sections of the desk. */
function beside(width: number): void {
  document.body.style.width = `${String(width)}px`;
  onTestFinished(() => {
    document.body.style.width = '';
  });
}

test.each([
  [1280, 968],
  [800, 488],
  [640, 608],
  [360, 360],
])(
  'at %i px rows, groups and search stay where they are when verdicts come, and at the end',
  async (width, own) => {
    await page.viewport(width, 800);
    beside(own);
    const rows = Array.from({ length: 8 }, (_, index) => ({
      ...row,
      index,
      code: code.replace(/^./u, String(index)),
    }));
    const { announce } = jobPage(rows);
    await expect.element(button('Waiting 8')).toBeVisible();
    const top = (): number => page.getByRole('grid').element().getBoundingClientRect().top;
    const before = top();
    const placesOf = (selector: string): number[] =>
      [...document.querySelectorAll(selector)].map(
        (each) => Math.round(10 * each.getBoundingClientRect().left) / 10,
      );
    const places = (): number[] => [
      ...placesOf('.filter-button').slice(0, 6),
      ...placesOf('.bar-search'),
    ];
    await expect.element(button('Supported 0')).toBeInTheDocument();
    const placesBefore = places();
    expect(placesBefore).toHaveLength(7);
    const topsBefore = topsOfRows();
    expect(topsBefore).toHaveLength(8);
    expect(button('Supported 0').element().ariaDisabled).toBe('true');
    const sold = (supportedUntil: number | undefined) =>
      succeed(
        summariseAnswer({
          kind: 'purchase',
          purchase: omitUndefined({ ...purchase(), supportedUntil }),
        }),
      );
    const outcomes = [
      sold(now + 1e9),
      sold(now - 1e9),
      sold(undefined),
      notFound,
      fail({ kind: 'timeout', afterMs: 1 } as const),
    ];
    const finished = outcomes.map((outcome, at) => ({
      ...row,
      ...rows[at],
      outcome,
      checkedAt: now,
    }));
    announce({ kind: 'rows', rows: finished });
    await expect.element(button('No answer 1')).toBeInTheDocument();
    expect(topsOfRows()).toEqual(topsBefore);
    expect(document.querySelectorAll('.filter-button')).toHaveLength(6);
    expect(button('Supported 1').element().ariaDisabled).toBeNull();
    expect(top()).toBe(before);
    expect(places()).toEqual(placesBefore);
    announce({ kind: 'job', job: { ...job, state: 'paused' } });
    await expect.element(button('Resume')).toBeVisible();
    expect(top()).toBe(before);
    announce({ kind: 'job', job: { ...job, state: 'cancelled' } });
    await expect.element(button('Not checked 3')).toBeInTheDocument();
    expect(top()).toBe(before);
    expect(places()).toEqual(placesBefore);
    await page.viewport(1280, 800);
  },
);

test('a mail address of the file is not cut while there is room, and a heading that sorts keeps its line', async () => {
  await page.viewport(1280, 800);
  beside(968);
  const rows = Array.from({ length: 4 }, (_, index) => ({
    ...row,
    index,
    line: index + 2,
    code: code.replace(/^./u, String(index)),
    outcome: succeed(summariseAnswer({ kind: 'purchase', purchase: purchase() })),
    checkedAt: now,
  }));
  const lines = rows.map((each, at) => `${each.code},customer${String(at)}@example.com,Ada Quill`);
  jobPage(rows, {
    source: {
      file: new Blob([['Code,Mail,Buyer', ...lines].join('\n')]),
      layout: { delimiter: ',', column: 0, hasHeadings: true, patterns: [] },
    },
  });
  const mail = page.getByRole('gridcell', { name: 'customer1@example.com' });
  await expect.element(mail).toBeVisible();
  const { scrollWidth, clientWidth } = mail.element();
  expect(scrollWidth).toBe(clientWidth);
  const heading = button('Supported until');
  const { height } = heading.element().getBoundingClientRect();
  await heading.click();
  await expect
    .element(page.getByRole('columnheader', { name: 'Supported until' }))
    .toHaveAttribute('aria-sort', 'ascending');
  expect(heading.element().getBoundingClientRect().height).toBe(height);
});

test('the dialog of a row has every column of the file, of which the table has the first two', async () => {
  await page.viewport(1280, 800);
  jobPage([row], {
    source: {
      file: new Blob([`Mail,Code,Buyer,Plan\nada@example.com,${row.code},Ada Quill,Studio`]),
      layout: { delimiter: ',', column: 1, hasHeadings: true, patterns: [] },
    },
  });
  await expect.element(page.getByRole('columnheader', { name: 'Buyer' })).toBeVisible();
  expect(page.getByRole('columnheader', { name: 'Plan' }).query()).toBeNull();
  await page.getByRole('gridcell', { name: 'ada@example.com' }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText('Plan')).toBeVisible();
  await expect.element(dialog.getByText('Studio')).toBeVisible();
});

test('the dialog of a row that was not found has the possible reasons', async () => {
  jobPage([missing[0] ?? row]);
  await page.getByRole('gridcell').first().click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText('Possible reasons')).toBeVisible();
  await expect.element(dialog.getByText('a typo in the code')).toBeVisible();
});

const catalogues = import.meta.glob<object>('/locales/??{,-??}/{answer,desk}.json', {
  import: 'default',
});

test.each(translatedLanguages)(
  'in %s the groups of a check have one line, and the search shows its hint',
  async (language) => {
    await page.viewport(1280, 800);
    beside(968);
    const messages = {};
    for (const name of ['answer', 'desk'])
      Object.assign(messages, await catalogues[`/locales/${language}/${name}.json`]?.());
    jobPage([row], { messages });
    const groups = (): number => document.querySelectorAll('.filter-button').length;
    await expect.poll(groups).toBe(6);
    const line = document.querySelector('.scroll-row');
    expect(line?.scrollWidth).toBe(line?.clientWidth);
    const field = page.getByRole('searchbox').element() as HTMLInputElement;
    const canvas = document.createElement('canvas').getContext('2d');
    if (canvas === null) throw new Error('There is no canvas.');
    const style = getComputedStyle(field);
    canvas.font = style.font;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    expect(canvas.measureText(field.placeholder).width, field.placeholder).toBeLessThanOrEqual(
      room,
    );
  },
);

/** Whether what was pressed last may have been meant for another button. */
function isHeld(): boolean {
  return document.querySelector('[data-held]') !== null;
}

test('a double click on what asks again does not cancel, and one on Cancel does not ask again', async () => {
  await page.viewport(1280, 800);
  const change = jobPage(missing);
  await expect.element(button('Pause')).toBeVisible();
  change({ state: 'done' });
  const refresh = button('Refresh 3 not found');
  await expect.poll(isHeld).toBe(false);
  await refresh.click({ position: { x: 20, y: 10 } });
  await expect.element(button('Cancel')).toBeVisible();
  (button('Cancel').element() as HTMLElement).click();
  await expect.poll(isHeld).toBe(false);
  await button('Cancel').click();
  await expect.element(refresh).toBeVisible();
  (refresh.element() as HTMLElement).click();
  await expect.poll(isHeld).toBe(false);
  await expect.element(button('Cancel')).not.toBeInTheDocument();
});

test('what a cancelled job has not asked about is not checked, and its dialog says what each connection said', async () => {
  const other = { ...row, index: 1, connectionId: 'demo', outcome: notFound, checkedAt: now };
  const change = jobPage([row, other]);
  await expect.element(button('Waiting 1')).toBeVisible();
  change({ state: 'cancelled' });
  await expect.element(button('Not checked 1')).toBeVisible();
  await page.getByRole('row').nth(1).click();
  const dialog = page.getByRole('dialog');
  const said = [...dialog.element().querySelectorAll('[data-group]')].map(
    ({ textContent }) => textContent,
  );
  expect(said).toEqual(['Market Not checked', expect.stringMatching(/Not found$/u)]);
  await expect.element(dialog.getByText('Checked', { exact: true })).not.toBeInTheDocument();
});

test('a waiting row and its dialog say whose answer is awaited once another connection has answered, and what has stopped the check', async () => {
  await page.viewport(1280, 800);
  const other = { ...row, index: 1, connectionId: 'demo', outcome: notFound, checkedAt: now };
  const unasked = { ...row, index: 2, code: code.replace(/^./u, 'f') };
  const { announce } = jobPage([
    row,
    other,
    unasked,
    { ...unasked, index: 3, connectionId: 'demo' },
  ]);
  announce({ kind: 'job', job: { ...job, connectionIds: ['market', 'demo'] } });
  await expect.element(button('Waiting 2')).toBeVisible();
  const rows = page.getByRole('row');
  await expect.poll(() => rows.nth(1).element().textContent).toMatch(/Waiting for Market/u);
  await expect.poll(() => rows.nth(2).element().textContent).not.toMatch(/Waiting for/u);
  await rows.nth(1).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByRole('heading', { name: 'Waiting for Market' })).toBeVisible();
  const pausedBy = {
    kind: 'fault',
    at: now,
    fault: { kind: 'offline' },
    connectionId: 'market',
  } as const;
  announce({ kind: 'job', job: { ...job, state: 'paused', pausedBy } });
  await expect.element(dialog.getByRole('heading', { name: 'Stopped' })).toBeVisible();
  await expect.element(dialog.getByText(/offline/u)).toBeVisible();
  // Nothing is waited for while it does not run.
  expect(dialog.element().querySelector('[data-group]')?.textContent).toBe('Market Not checked');
  await expect.poll(() => document.body.textContent).not.toMatch(/Waiting for/u);
  await userEvent.keyboard('{Escape}');
});

test.each([
  ['one connection', ['market'], 62],
  ['two connections', ['market', 'demo'], 84],
])(
  'on a phone every card of a check at %s is as high before its answer as after it',
  async (_, connectionIds, height) => {
    await page.viewport(360, 800);
    onTestFinished(() => page.viewport(1280, 800));
    const rows = eightRows.flatMap((each, at) =>
      connectionIds.map((connectionId, nth) => ({
        ...each,
        connectionId,
        index: at * connectionIds.length + nth,
      })),
    );
    const { announce } = jobPage(rows, { stored: { connectionIds } });
    await expect.element(button('Waiting 8')).toBeVisible();
    const before = topsOfRows();
    expect(before.map((top) => Math.round(top - (before[0] ?? 0)))).toEqual(
      before.map((_top, at) => at * height),
    );
    const genuine = succeed(summariseAnswer({ kind: 'purchase', purchase: purchase() }));
    announce({
      kind: 'rows',
      rows: rows.map((each) => ({
        ...each,
        outcome: Number(each.code.slice(5, 6)) % 2 === 0 ? genuine : notFound,
        checkedAt: now,
      })),
    });
    await expect.element(button('Not found 4')).toBeInTheDocument();
    expect(topsOfRows()).toEqual(before);
    // No word of a card is outside of it, and a card with fewer lines has them in its middle.
    for (const card of document.querySelectorAll('[role=rowgroup] > [role=row]')) {
      const { top, bottom } = card.getBoundingClientRect();
      const words = [...card.querySelectorAll('[role=gridcell]')]
        .map((cell) => cell.getBoundingClientRect())
        .filter((box) => box.height > 0);
      const above = Math.min(...words.map((box) => box.top)) - top;
      const below = bottom - Math.max(...words.map((box) => box.bottom));
      expect(above).toBeGreaterThan(0);
      expect(Math.abs(above - below)).toBeLessThanOrEqual(4);
    }
  },
);

test('a job that a fault has stopped has one main button', async () => {
  const { announce } = jobPage();
  await expect.element(button('Pause')).toBeVisible();
  const primary = (): (string | undefined)[] =>
    [...document.querySelectorAll<HTMLElement>('.job-head .primary, .job-pause .primary')].map(
      ({ innerText }) => innerText.trim(),
    );
  const paused = (fault: Fault): void => {
    const pausedBy = { kind: 'fault', at: now, fault, connectionId: 'market' } as const;
    announce({ kind: 'job', job: { ...job, state: 'paused', pausedBy } });
  };
  paused({ kind: 'offline' });
  await expect.poll(primary).toEqual(['Resume']);
  await expect.element(button('Try again')).not.toBeInTheDocument();
  paused({ kind: 'no-key', reason: 'never-entered' });
  await expect.poll(primary).toHaveLength(1);
  expect(primary()).not.toContain('Resume');
});

test.each([
  [800, 800],
  [1024, 768],
])(
  'at %i × %i px the groups have one line, the search stands beside what saves, and the rows have what is left',
  async (width, height) => {
    await page.viewport(width, height);
    // What the page has beside and above the job.
    // Its title stands above it in this test, which takes the height of the way back.
    const [side, above] = width < 1020 ? [32, 106] : [312, 0];
    beside(width - side);
    document.body.style.paddingTop = `${String(above)}px`;
    onTestFinished(() => {
      document.body.style.paddingTop = '';
    });
    const rows = Array.from({ length: 60 }, (_, index) => ({
      ...row,
      index,
      code: `code-${String(index)}-1234567`,
    }));
    jobPage(rows);
    await expect.element(button('Pause')).toBeVisible();
    const tops = [...document.querySelectorAll('.filter-button')].map(
      (each) => each.getBoundingClientRect().top,
    );
    expect(tops.length).toBeGreaterThanOrEqual(6);
    expect(new Set(tops).size).toBe(1);
    const line = document.querySelector('.scroll-row') ?? document.body;
    expect(line.scrollWidth).toBeLessThanOrEqual(line.clientWidth);
    const boxOf = (element: Element): DOMRect => element.getBoundingClientRect();
    const csv = boxOf(button('CSV').element());
    const search = boxOf(page.getByRole('searchbox').element());
    expect(search.left).toBeGreaterThan(csv.right);
    expect(search.top).toBeLessThan(csv.bottom);
    const grid = boxOf(page.getByRole('grid').element());
    expect(grid.height / height).toBeGreaterThan(0.42);
    expect(document.documentElement.scrollHeight).toBeLessThanOrEqual(height);
  },
);

test('a job that stands still says what it waits for, and for how long', async () => {
  await page.viewport(1280, 800);
  const { announce, harness } = jobPage();
  await expect.element(button('Pause')).toBeVisible();
  const wait = { kind: 'wait', connectionId: 'market' } as const;
  const until = now + 34_000;
  const limit = { kind: 'rate-limited', retryAt: until, by: 'pacing' } as const;
  announce({ ...wait, fault: limit, until });
  const held = page.getByText('Slowing down for Market', { exact: true });
  await expect.element(held).toBeVisible();
  await expect.element(page.getByText('Asking again in 34 s')).toBeVisible();
  const heard = (): string =>
    document.querySelector('.job-view [role="status"]')?.textContent.trim() ?? '';
  expect(heard()).toBe('Running. Slowing down for Market.');
  harness.clock = now + 30_000;
  await expect.element(page.getByText('Asking again in 4 s')).toBeVisible();
  expect(heard()).toBe('Running. Slowing down for Market.');
  harness.clock = until;
  await expect.element(held).not.toBeInTheDocument();
  // No wait is known, and no answer comes.
  await expect.element(page.getByRole('listitem').getByText('Asking Market…')).toBeVisible();
  // The end of the wait is said once, and what has not changed is not said again.
  expect(heard()).toBe('Asking Market…');
  announce({ ...wait, fault: limit, until: until + 9000 });
  await expect.element(page.getByText('Asking again in 9 s')).toBeVisible();
  expect(heard()).toBe('Asking Market…');
  const search = { asked: 12, of: 40 };
  announce({ ...wait, fault: { ...limit, search }, until });
  await expect
    .element(page.getByText('Asking Market: 12 of 40 items…', { exact: true }))
    .toBeVisible();
  announce({ kind: 'rows', rows: [{ ...row, checkedAt: until, outcome: notFound }] });
  await expect.element(page.getByText('12 of 40')).not.toBeInTheDocument();
});

test('several connections that are waited for are told of in words, in the order of the job', async () => {
  await page.viewport(1280, 800);
  beside(968);
  const { announce, harness } = jobPage([row, { ...row, index: 1, connectionId: 'demo' }]);
  announce({ kind: 'job', job: { ...job, connectionIds: ['market', 'demo'] } });
  await expect.element(button('Pause')).toBeVisible();
  const wait = (connectionId: string, seconds: number): void => {
    const until = now + seconds * 1000;
    const fault = { kind: 'rate-limited', retryAt: until, by: 'pacing' } as const;
    announce({ kind: 'wait', connectionId, fault, until });
  };
  wait('demo', 35);
  wait('market', 20);
  await expect.element(page.getByText('Asking again in 35 s')).toBeVisible();
  const shown = (): string =>
    [...document.querySelectorAll<HTMLElement>('.job-waits li, .job-briefly')]
      .filter((each) => each.checkVisibility())
      .map((each) => each.innerText.replaceAll(/\s+/gu, ' ').trim())
      .join('; ');
  expect(shown()).toBe(
    'Slowing down for Market Asking again in 20 s; Slowing down for Demo Asking again in 35 s',
  );
  const cut = [...document.querySelectorAll('.job-wait')].filter(
    (each) => each.scrollWidth > each.clientWidth,
  );
  expect(cut).toEqual([]);
  await page.viewport(360, 800);
  beside(360);
  await expect.poll(shown).toBe('Waiting: Market 20s and Demo 35s');
  harness.clock = now + 20_000;
  await expect.poll(shown).toBe('Slowing down for Demo 15s');
  await page.viewport(1280, 800);
});

test('the bar counts the codes that the words count, and more palely the answers', async () => {
  await page.viewport(1280, 800);
  const codes = ['a', 'b', 'c', 'd'].map((letter) => code.replace(/^./u, letter));
  const rows = codes.flatMap((each, at) => [
    { ...row, index: 2 * at, code: each, outcome: notFound, checkedAt: now },
    { ...row, index: 2 * at + 1, code: each, connectionId: 'demo' },
  ]);
  const { announce } = jobPage(rows);
  announce({ kind: 'job', job: { ...job, connectionIds: ['market', 'demo'] } });
  const bar = page.getByRole('progressbar');
  await expect.element(page.getByText('0 of 4')).toBeVisible();
  expect(bar.element()).toMatchObject({ value: 0, max: 4 });
  expect(getComputedStyle(bar.element()).backgroundSize).toBe('50% 100%');
  const answers = rows.slice(0, 2).map((each) => ({ ...each, outcome: notFound, checkedAt: now }));
  announce({ kind: 'rows', rows: answers });
  await expect.element(page.getByText('1 of 4')).toBeVisible();
  expect(bar.element()).toMatchObject({ value: 1, max: 4 });
  expect(getComputedStyle(bar.element()).backgroundSize).toBe('62.5% 100%');
});

test('while a check runs, its pace is of whole codes, and what it waits for is said before there is one', async () => {
  await page.viewport(1280, 800);
  const codes = ['a', 'b', 'c', 'd'].map((letter) => code.replace(/^./u, letter));
  const rows = codes.flatMap((each, at) => [
    { ...row, index: 2 * at, code: each },
    { ...row, index: 2 * at + 1, code: each, connectionId: 'demo' },
  ]);
  const { announce } = jobPage(rows);
  announce({ kind: 'job', job: { ...job, connectionIds: ['market', 'demo'] } });
  const pace = (): string | undefined =>
    document.querySelector<HTMLElement>('.job-pace')?.innerText.replaceAll(/\s+/gu, ' ').trim();
  await expect.poll(pace).toBe('Waiting for the first answer');
  const finish = (outcome: BulkRow['outcome'], ...at: number[]): void => {
    const finished = rows
      .filter((_, index) => at.includes(index))
      .map((each) => ({ ...each, ...omitUndefined({ outcome }), checkedAt: now, finishedAt: now }));
    announce({ kind: 'rows', rows: finished });
  };
  finish(notFound, 0, 2, 4);
  await expect.poll(pace).toBe('3 answered in part');
  finish(fail({ kind: 'timeout', afterMs: 1 }), 5);
  finish(notFound, 1);
  await expect.element(page.getByText('1 of 4')).toBeVisible();
  await expect.poll(pace).toMatch(/^1 in the last minute/u);
});

test('on a phone the pace and the count of what is answered in part stay on one line', async () => {
  await page.viewport(360, 700);
  onTestFinished(() => page.viewport(1280, 800));
  beside(328);
  const rows = Array.from({ length: 12 }, (_, at) => [
    { ...row, index: 2 * at, code: `code-${String(at)}-1234567` },
    {
      ...row,
      index: 2 * at + 1,
      code: `code-${String(at)}-1234567`,
      connectionId: 'demo',
    },
  ]).flat();
  const { announce } = jobPage(rows, { messages: { ...germanAnswers, ...germanDesk } });
  announce({ kind: 'job', job: { ...job, connectionIds: ['market', 'demo'] } });
  const height = (): number | undefined => document.querySelector('.job-pace')?.clientHeight;
  await expect.poll(height).toBeGreaterThan(0);
  const line = height();
  const ended = { outcome: notFound, checkedAt: now, finishedAt: now };
  announce({ kind: 'rows', rows: rows.slice(0, 13).map((each) => ({ ...each, ...ended })) });
  await expect.element(page.getByText('1 teilweise beantwortet')).toBeInTheDocument();
  expect(document.querySelector('.job-pace > .fact')).not.toBeNull();
  expect(height()).toBe(line);
});

test('the time left has the first line, which no wait takes', async () => {
  await page.viewport(1280, 800);
  const { announce } = jobPage(eightRows);
  await expect.element(button('Pause')).toBeVisible();
  const finished = eightRows.slice(0, 3).map((each, at) => ({
    ...each,
    outcome: notFound,
    checkedAt: now,
    finishedAt: now - 3000 * at,
  }));
  announce({ kind: 'rows', rows: finished });
  const figures = (): string | undefined =>
    document.querySelector('.job-figures')?.textContent.trim();
  await expect.poll(figures).toBe('Running 3 of 8 about 15 seconds left');
  const until = now + 46_000;
  const fault = { kind: 'rate-limited', retryAt: until, by: 'pacing' } as const;
  announce({ kind: 'wait', connectionId: 'market', fault, until });
  await expect.element(page.getByText('Asking again in 46 s')).toBeVisible();
  // It is never less than what is waited for.
  expect(figures()).toBe('Running 3 of 8 about 50 seconds left');
});

test.each([
  { named: 'bought', shown: 'Compass' },
  { named: 'neither bought nor fetched', shown: '#2' },
])('an expected item that was $named is named in the head and in the dialog', async ({ shown }) => {
  await page.viewport(1280, 800);
  const buy = (id: number, name: string) =>
    succeed(
      summariseAnswer({
        kind: 'purchase',
        purchase: purchase({ item: { ...purchase().item, id, name } }),
      }),
    );
  jobPage(
    [
      { ...row, outcome: buy(1, 'Orbit CRM'), checkedAt: now },
      ...(shown === 'Compass' ? [{ ...waiting, outcome: buy(2, 'Compass'), checkedAt: now }] : []),
    ],
    { stored: { state: 'done', expectedItemId: 2 } },
  );
  const head = page.getByText(`Expected item ${shown}`);
  await expect.element(head).toBeVisible();
  await page.getByRole('row').filter({ hasText: 'Orbit CRM' }).click();
  const dialog = page.getByRole('dialog');
  await expect
    .poll(() => dialog.element().textContent)
    .toContain(`Orbit CRM was bought; ${shown} was expected`);
});

const unanswered = {
  ...row,
  outcome: fail({ kind: 'timeout', afterMs: 1 } as const),
  checkedAt: now,
};
const waiting = { ...row, index: 1, code: code.replace(/^./u, 'b') };

test('a job that stands says when it was started', async () => {
  const change = jobPage([unanswered, waiting]);
  await expect.element(button('Pause')).toBeVisible();
  change({ state: 'paused' });
  await expect.element(page.getByText(/^Started \w+ \d+, 20\d\d/u)).toBeVisible();
});

test('a job that ends with codes without an answer says so, and asks for them first', async () => {
  await page.viewport(1280, 800);
  const change = jobPage([unanswered, { ...waiting, outcome: notFound, checkedAt: now }]);
  await expect.element(button('Pause')).toBeVisible();
  change({ state: 'done' });
  await expect.element(page.getByText('Answers missing').first()).toBeVisible();
  await expect.element(page.getByText('1 of 2', { exact: true })).toBeVisible();
  expect(document.querySelector('.job-view [role="status"]')?.textContent.trim()).toBe(
    'Answers missing. 1 of 2, Not found 1, and No answer 1.',
  );
  await expect.element(button('Retry 1 that failed')).toHaveClass('primary');
  expect(button('CSV').element().classList).not.toContain('primary');
});

test.each(['paused', 'cancelled'] as const)(
  'a job that is %s and can go on asks again about what has failed by going on, and offers nothing else',
  async (state) => {
    const change = jobPage([unanswered, waiting]);
    await expect.element(button('Pause')).toBeVisible();
    change({ state });
    const goOn = button(state === 'paused' ? 'Resume' : 'Check the remaining 2');
    await expect.element(goOn).toBeVisible();
    // It looks at once as it will be.
    expect(goOn.element().ariaDisabled).toBeNull();
    await expect.element(button('More')).not.toBeInTheDocument();
    await expect.element(button('Retry 1 that failed')).not.toBeInTheDocument();
    await expect.poll(isHeld).toBe(false);
    await goOn.click();
    await expect.element(button('Pause')).toBeVisible();
  },
);

test('the dialog of a row keeps its edges and its buttons from row to row', async () => {
  const bought = { ok: true, value: summariseAnswer({ kind: 'purchase', purchase: purchase() }) };
  jobPage([{ ...row, index: 3, outcome: bought, checkedAt: now } as BulkRow, ...missing]);
  await expect.element(page.getByRole('button', { name: 'Not found 3' })).toBeVisible();
  page.getByRole('grid').element().focus();
  await userEvent.keyboard('{Enter}');
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  const edges = (): number[] => {
    const { top, bottom } = dialog.element().getBoundingClientRect();
    return [top, bottom, button('Refresh').element().getBoundingClientRect().bottom];
  };
  const before = edges();
  await button('Next').click();
  await expect.element(dialog.getByText('2 of 4', { exact: true })).toBeVisible();
  expect(edges()).toEqual(before);
});

test('on a phone what can be done with a row stays in view at one place from row to row', async () => {
  await page.viewport(360, 640);
  const bought = (index: number, item: string) => ({
    ...row,
    index,
    code: code.replace(/^./u, String(index)),
    outcome: succeed(
      summariseAnswer({
        kind: 'purchase',
        purchase: purchase({ item: { ...purchase().item, name: item } }),
      }),
    ),
    checkedAt: now,
  });
  jobPage([
    bought(0, 'Orbit'),
    bought(1, 'Orbit CRM, the customer relationship manager for teams of every size '.repeat(4)),
    bought(2, 'Orbit'),
  ]);
  await expect.element(page.getByRole('button', { name: 'Supported 3' })).toBeInTheDocument();
  page.getByRole('grid').element().focus();
  await userEvent.keyboard('{Enter}');
  const dialog = page.getByRole('dialog');
  const places = () => {
    const copy = dialog.getByRole('button', { name: 'Copy reply' }).element();
    const next = button('Next').element().getBoundingClientRect();
    const previous = button('Previous').element().getBoundingClientRect();
    const { top, bottom } = copy.getBoundingClientRect();
    return { top, bottom, next: [next.left, next.top], previous: [previous.left, previous.top] };
  };
  await expect.element(dialog.getByText('1 of 3', { exact: true })).toBeVisible();
  const first = places();
  const place = dialog.getByText('1 of 3', { exact: true }).element().getBoundingClientRect();
  expect(place.left).toBeGreaterThan(first.previous[0] ?? 0);
  expect(place.right).toBeLessThanOrEqual(first.next[0] ?? 0);
  for (const at of ['2', '3']) {
    await button('Next').click();
    await expect.element(dialog.getByText(`${at} of 3`, { exact: true })).toBeVisible();
    expect(places()).toEqual(first);
  }
  expect(first.bottom).toBeLessThan(640);
  await page.viewport(1280, 800);
});

test('by keyboard: the rows are gone through in the dialog without closing it, and no further than they go', async () => {
  jobPage(missing);
  const grid = page.getByRole('grid');
  await expect.element(page.getByRole('button', { name: 'Not found 3' })).toBeVisible();
  grid.element().focus();
  await userEvent.keyboard('{Enter}');
  const dialog = page.getByRole('dialog');
  const shows = (text: string) =>
    expect.element(dialog.getByText(text, { exact: true })).toBeVisible();
  await shows('1 of 3');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  await shows('3 of 3');
  await shows(missing[2]?.code ?? '');
  await expect.element(button('Next')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{ArrowLeft}');
  await shows('2 of 3');
  await button('Next').click();
  await shows('3 of 3');
  await userEvent.keyboard('{Escape}');
  await expect.element(grid).toHaveFocus();
  expect(document.querySelector('[aria-selected="true"]')?.textContent).toContain(missing[2]?.code);
});

test('a search that finds nothing is cleared from within the table', async () => {
  jobPage(missing);
  const search = page.getByRole('searchbox');
  await search.fill('nothing of it');
  const sentence = page.getByRole('grid').getByText('Nothing matches this search.');
  await expect.element(sentence).toBeVisible();
  await button('Clear the search').click();
  await expect.element(search).toHaveValue('');
  await expect.element(sentence).not.toBeInTheDocument();
});

test('by keyboard: a job is renamed in place, and the focus comes back', async () => {
  jobPage(missing);
  await expect.element(button('Rename')).toBeVisible();
  button('Rename').element().focus();
  await userEvent.keyboard('{Enter}');
  const field = page.getByLabelText('Name of this bulk check');
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('other{Escape}');
  await expect.element(button('Rename')).toHaveFocus();
  await expect.element(page.getByRole('heading', { name: 'orders.csv' })).toBeVisible();
  await userEvent.keyboard('{Enter}Refunds{Enter}');
  await expect.element(button('Rename')).toHaveFocus();
  expect(renamed).toEqual(['Refunds']);
});

test('a new name is shown at once, and its field takes the room that there is', async () => {
  await page.viewport(1280, 800);
  jobPage(missing);
  await button('Rename').click();
  const field = page.getByLabelText('Name of this bulk check');
  const height = field.element().clientHeight;
  const name = 'Refunds of the codes that were sold twice in autumn';
  await field.fill(name);
  expect(field.element().clientHeight).toBe(height);
  field
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  await nextTick();
  expect(document.getElementById('job-title')?.textContent).toBe(name);
});

test.each([
  ['orders.csv', ',', /^orders-checked-[\d-]{16}\.csv$/u, 'text/csv'],
  ['orders.tsv', '\t', /^orders-checked-[\d-]{16}\.tsv$/u, 'text/tab-separated-values'],
  ['Export 1.2.txt', '\t', /^Export 1\.2-checked-[\d-]{16}\.tsv$/u, 'text/tab-separated-values'],
  ['a/b: "c".xls', ',', /^a-b- -c--checked-[\d-]{16}\.csv$/u, 'text/csv'],
  ['', ';', /^checked-[\d-]{16}\.csv$/u, 'text/csv'],
] as const)(
  'a file that comes back of %j is named after it and keeps its kind',
  async (...[name, delimiter, saved, type]) => {
    const saveFile = vi.fn<SaveFile>();
    const text = [`Code${delimiter}Note`, `${code}${delimiter}=1+1`].join('\n');
    const layout = { delimiter, column: 0, hasHeadings: true, patterns: [] };
    jobPage([row], { name, saveFile, source: { file: new Blob([text]), layout } });
    await button('CSV').click();
    await vi.waitFor(() => {
      expect(saveFile).toHaveBeenCalledWith(
        expect.objectContaining({ name: expect.stringMatching(saved) as string, type }),
      );
    });
    const written = await new Blob(
      Array.from<BlobPart>(saveFile.mock.lastCall?.[0].content ?? []),
    ).text();
    expect(written).toContain(`${code}${delimiter}'=1+1`);
  },
);

test('the list says how far a job is that runs, and counts anew as its rows come', async () => {
  let announce: (update: JobUpdate) => void = () => undefined;
  const rows: BulkRow[] = missing.map(({ index, line, ...each }) => ({
    ...row,
    index,
    line,
    code: each.code,
  }));
  mountBulk(
    BulkPage,
    {
      jobs: () => Promise.resolve([job]),
      rows: () => Promise.resolve([...rows]),
      watch: (changed) => {
        announce = changed;
        return () => undefined;
      },
    },
    allChecks,
  );
  const entry = page.getByRole('listitem').filter({ hasText: 'orders.csv' });
  await expect.poll(() => entry.element().textContent).toContain('0 of 3');
  const finished = missing.slice(0, 1);
  rows.splice(0, 1, ...finished);
  announce({ kind: 'rows', rows: finished });
  await expect.poll(() => entry.element().textContent, { timeout: 8000 }).toContain('1 of 3');
  expect(entry.element().textContent).toContain('Not found 1');
});

test('a job that a fault has stopped is told from one that the agent has paused, in the list and on its page', async () => {
  const pausedBy = {
    kind: 'fault',
    at: now,
    fault: { kind: 'offline' },
    connectionId: 'market',
  } as const;
  const paused: BulkJob = { ...job, id: 'paused', name: 'paused.csv', state: 'paused' };
  const stopped: BulkJob = { ...paused, id: 'stopped', name: 'stopped.csv', pausedBy };
  const full: BulkJob = {
    ...stopped,
    id: 'full',
    name: 'full.csv',
    pausedBy: { kind: 'storage-full' },
  };
  mountBulk(BulkPage, { jobs: () => Promise.resolve([paused, stopped, full]) }, allChecks);
  const chipOf = (name: string): HTMLElement | null =>
    page.getByRole('listitem').filter({ hasText: name }).element().querySelector('.chip');
  await expect.poll(() => chipOf('paused.csv')?.innerText.trim()).toBe('Paused');
  expect(chipOf('stopped.csv')?.innerText.trim()).toBe('Stopped');
  expect(chipOf('full.csv')?.innerText.trim()).toBe('Stopped');
  expect(chipOf('stopped.csv')?.dataset['tone']).toBe('warn');
  expect(chipOf('paused.csv')?.dataset['tone']).not.toBe('warn');

  const change = jobPage();
  await expect.element(button('Pause')).toBeVisible();
  change({ state: 'paused' });
  const figures = (): string | undefined =>
    document.querySelector<HTMLElement>('.job-figures')?.innerText.trim();
  await expect.poll(figures).toMatch(/^Paused/u);
  change({ state: 'paused', pausedBy });
  await expect.poll(figures).toMatch(/^Stopped/u);
});

test.each([720, 800, 1020, 1100, 1280])(
  'in a list %i pixels wide a check without answers makes no row higher, and no long name two lines where there is room',
  async (width) => {
    await page.viewport(width, 800);
    const name = 'sales-november-2026-all-regions.csv';
    const done: BulkJob = { ...job, id: 'done', name, state: 'done' };
    const late: BulkJob = { ...done, id: 'late', createdAt: now - 2 * 86_400_000 };
    const bought = succeed(summariseAnswer({ kind: 'purchase', purchase: purchase() }));
    mountBulk(
      BulkPage,
      {
        jobs: () => Promise.resolve([done, late]),
        rows: (jobId) =>
          Promise.resolve(
            Array.from({ length: 20 }, (_, index): BulkRow => {
              const isLate = jobId === 'late' && index === 0;
              return {
                ...row,
                jobId,
                index,
                code: `code-${String(index)}-1234567`,
                outcome: isLate
                  ? fail({ kind: 'timeout', afterMs: 1 })
                  : index % 2 === 0
                    ? bought
                    : notFound,
                checkedAt: now,
              };
            }),
          ),
      },
      allChecks,
    );
    await expect.element(page.getByText('Answers missing')).toBeVisible();
    const entries = [...document.querySelectorAll<HTMLElement>('.job-list li')];
    expect(entries.map(({ offsetHeight }) => offsetHeight < 72)).toEqual([true, true]);
    const names = entries.map((entry) => entry.querySelector('bdi')?.getClientRects().length);
    expect(names).toEqual([1, 1]);
  },
);

test('on a phone a long name keeps off its state, and the time of day tells two pasted lists of today apart', async () => {
  await page.viewport(360, 800);
  const pasted: BulkJob = { ...job, name: '', pastedName: '', createdAt: now - 60_000 };
  const earlier: BulkJob = { ...pasted, id: 'earlier', createdAt: now - 240_000 };
  const name = 'renewal-requests-of-the-last-quarter-from-all-shops.xlsx';
  const long: BulkJob = { ...pasted, id: 'long', name, state: 'paused' };
  mountBulk(BulkPage, { jobs: () => Promise.resolve([pasted, earlier, long]) }, allChecks);
  const link = page.getByRole('link', { name });
  await expect.element(link).toBeVisible();
  const chip = page.getByText('Paused').element().getBoundingClientRect();
  expect(chip.left - link.element().getBoundingClientRect().right).toBeGreaterThanOrEqual(8);
  const times = page
    .getByRole('listitem')
    .filter({ hasText: 'Pasted text' })
    .elements()
    .map((entry) => entry.querySelector('time')?.textContent);
  expect(times).toHaveLength(2);
  expect(times[0]).toMatch(/\d:\d\d/u);
  expect(times[0]).not.toBe(times[1]);
});

test('a file whose name looks like that of pasted codes is called by its name alone', async () => {
  const file: BulkJob = { ...job, name: '8678…dece +35', state: 'done' };
  mountBulk(BulkPage, { jobs: () => Promise.resolve([file]) }, allChecks);
  const link = page.getByRole('link', { name: /8678…dece/u });
  await expect.element(link).toBeVisible();
  expect(link.element().textContent.trim()).toBe('8678…dece +35');
});

test('two pasted lists that begin with the same code are told apart by their time, and each row deletes its check', async () => {
  await page.viewport(1280, 800);
  const name = '8678…dece +35';
  const pasted: BulkJob = {
    ...job,
    name,
    pastedName: name,
    state: 'done',
    createdAt: now - 60_000,
  };
  const earlier: BulkJob = { ...pasted, id: 'earlier', createdAt: now - 3_600_000 };
  const before: BulkJob = { ...pasted, id: 'before', createdAt: now - 3 * 86_400_000 };
  const running: BulkJob = { ...job, id: 'running' };
  const all = [pasted, earlier, before, running];
  mountBulk(BulkPage, { jobs: () => Promise.resolve(all) }, allChecks);
  const links = page.getByRole('link', { name: '8678…dece +35', exact: true });
  await expect.poll(() => links.elements().length).toBe(3);
  const told = all.map(({ id }) => document.getElementById(`jobs-at-${id}`)?.textContent ?? '');
  const [latest = '', first, ofThen, ofFile] = told;
  expect(latest).toMatch(/^\d\d?:\d\d/u);
  expect(first).not.toBe(latest);
  expect(ofThen).toMatch(/20\d\d.*\d:\d\d/u);
  // A file of today has its time in the same form.
  expect(ofFile).toMatch(/^\d\d?:\d\d/u);
  expect(links.first().element()).toHaveAccessibleDescription(latest);
  const deletes = page.getByRole('button', { name: 'Delete' });
  expect(deletes.elements()).toHaveLength(3);
  await deletes.last().hover();
  await deletes.last().click();
  await expect.poll(() => links.elements().length).toBe(2);
});

test('on a phone the checks stand close below a form that is short until it has codes', async () => {
  await page.viewport(360, 740);
  const unanswered = { ...job, state: 'done' } as const;
  const fault = fail({ kind: 'timeout', afterMs: 1 } as const);
  mountBulk(
    BulkPage,
    {
      jobs: () => Promise.resolve([unanswered]),
      rows: () => Promise.resolve([{ ...row, outcome: fault, checkedAt: now }]),
    },
    allChecks,
  );
  const list = page.getByRole('heading', { name: 'All bulk checks' });
  await expect.element(list).toBeVisible();
  expect(list.element().getBoundingClientRect().top).toBeLessThan(260);
  const chip = page.getByText('Answers missing');
  await expect.element(chip).toBeVisible();
  expect(chip.element().getClientRects()).toHaveLength(1);
  expect(chip.element().getBoundingClientRect().height).toBeLessThan(30);
  expect(button('Check').query()).toBeNull();
  await page.getByRole('textbox', { name: 'Codes, or a file with codes' }).fill(code);
  await expect.element(button('Check 1 code')).toBeVisible();
  await page.viewport(1280, 800);
});

test('while a word of the name is composed, Enter and Escape are the input method’s', async () => {
  jobPage(missing);
  await button('Rename').click();
  const field = page.getByLabelText('Name of this bulk check');
  await field.fill('返品');
  for (const key of ['Enter', 'Escape']) pressWhileComposing(field.element(), key);
  await expect.element(field).toHaveValue('返品');
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Rename')).toHaveFocus();
  expect(renamed.at(-1)).toBe('返品');
});
