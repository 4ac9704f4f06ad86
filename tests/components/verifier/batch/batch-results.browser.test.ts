import { createPinia } from 'pinia';
import { type App, createApp } from 'vue';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';

import '#components/ui/base.css';
import { createCatalogue } from '#components/i18n';
import BatchResults from '#components/verifier/batch/BatchResults.vue';
import undo from '#locales/en/undo.json';
import en from '#locales/en/verifier.json';
import type { HeadlineSentence, InspectionHeadline } from '#core/license/inspect/inspection';
import type { DocumentReport, DocumentSummary } from '#core/verifier/index';
import { clockPort, copyPort, type SaveFile, saveFilePort } from '#stores/ports';
import { replyTemplatesPort } from '#stores/reply-templates/ports';
import { maxInVain, useBatch } from '#stores/verifier/batch';
import { useVerifierKeys } from '#stores/verifier/index';
import { clockMemoryPort, keyRingPort, verifyPort } from '#stores/verifier/ports';
import { LICENSE_CLAIMS, token } from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';
import { createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';

type SavedFile = Parameters<SaveFile>[0];

let app: App | undefined;
afterEach(() => app?.unmount());

/** Mounts the table over workers that answer the documents with these summaries in turn. */
function mountResults(
  summary: DocumentSummary | readonly DocumentSummary[],
  answered: Promise<unknown> = Promise.resolve(),
  /** Answers about one whole document; it never does where a test is not about one. */
  judge: () => Promise<DocumentReport> = () => new Promise(() => undefined),
  /** Is awaited before each answer. */
  beforeAnswer: () => Promise<void> = () => Promise.resolve(),
): { batch: ReturnType<typeof useBatch>; saved: SavedFile[] } {
  const pinia = createPinia();
  const saved: SavedFile[] = [];
  document.body.replaceChildren(document.createElement('div'));
  app = createApp(BatchResults)
    .use(pinia)
    .use(createCatalogue('en-GB', { ...en, ...undo }))
    .provide(clockPort, () => Date.now())
    .provide(copyPort, () => Promise.resolve(true))
    .provide(saveFilePort, (file) => void saved.push(file))
    .provide(replyTemplatesPort, null)
    .provide(keyRingPort, createMemoryKeyRing())
    .provide(clockMemoryPort, {
      note: (now) => Promise.resolve(now),
      reset: () => Promise.resolve(),
    })
    .provide(verifyPort, {
      size: 1,
      ask: async (question) => {
        await answered;
        await beforeAnswer();
        if (question.ask !== 'inspect-many') return (await judge()) as never;
        const summaries = [summary].flat();
        return question.sources.map((_, at) => summaries[at % summaries.length]) as never;
      },
    });
  app.mount(document.body.firstElementChild ?? document.body);
  return { batch: useBatch(pinia), saved };
}

const files = Array.from({ length: 100 }, (_, at) => {
  const name = `customer-${String(at)}.json`;
  return { name, file: new File(['{}'], name) };
});
const context = { now: Date.now(), keys: [], expected: {}, unreached: false };

test('a batch that no pinned key verifies says why it stopped, and goes on', async () => {
  const { batch } = mountResults({
    standing: 'unverified',
    failed: [],
    warned: [],
    triedInVain: maxInVain,
  });
  await batch.openFiles(files, context);

  await expect.element(page.getByRole('heading', { name: 'Stopped' })).toBeVisible();
  const notice = document.querySelector('[role=alert]')?.textContent;
  expect(notice).toContain('Tried 100,000 times');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.element(page.getByText('100 documents', { exact: true }).first()).toBeVisible();
  expect(document.querySelector('[role=alert]')).toBeNull();
});

test('while no key is pinned, a batch offers the way to it once, above its rows', async () => {
  const { batch } = mountResults({ standing: 'unverified', failed: [], warned: [] });
  const keys = document.createElement('details');
  keys.className = 'keys';
  keys.innerHTML = '<summary>Pinned keys</summary><form><textarea></textarea></form>';
  document.body.append(keys);
  await batch.openFiles(files, context);
  await useVerifierKeys().load();
  await page.getByRole('button', { name: 'Go to pinned keys' }).click();
  expect(keys.open).toBe(true);
  expect(document.activeElement).toBe(keys.querySelector('textarea'));
});

test('while no key is pinned, that is said once, and each row says what its documents say', async () => {
  await page.viewport(1280, 800);
  const headline: InspectionHeadline = {
    tone: 'unknown',
    test: false,
    sentences: [{ id: 'not-verified', data: {} }],
  };
  const unproven = {
    domain: 'shop.example.com',
    product: 'harbour-theme',
    licenseId: 'L-1001',
    nextValidationAt: Date.UTC(2026, 10, 6, 12),
  };
  const { batch, saved } = mountResults({
    standing: 'unverified',
    headline,
    unproven,
    failed: [],
    warned: [],
  });
  await useVerifierKeys().load();
  await batch.openFiles(files.slice(0, 9), context);
  const row = page.getByRole('row').nth(1);
  await expect.element(row.getByText('Checks in: 6 Nov 2026')).toBeVisible();
  const cells = [...row.element().querySelectorAll('[role=gridcell]')];
  expect(cells.map(({ textContent }) => textContent.trim().replaceAll('\u00A0', ' '))).toEqual([
    'Not verified',
    'customer-0.json',
    'shop.example.com',
    'harbour-theme · L-1001 · Checks in: 6 Nov 2026',
  ]);
  expect(document.body.textContent.split('no key is pinned yet')).toHaveLength(2);
  await page.getByRole('searchbox').fill('l-1001');
  await expect.element(page.getByRole('heading', { name: '9 of 9' })).toBeVisible();
  // Nothing that is not proven leaves the page as if it were.
  await page.getByRole('button', { name: 'CSV' }).click();
  expect(saved[0]?.content).not.toContain('harbour-theme');
});

test('a column of domains stands where a row has one', async () => {
  await page.viewport(1280, 800);
  const { batch } = mountResults({ standing: 'unverified', failed: [], warned: [] });
  await batch.openFiles(files.slice(0, 9), context);
  await expect.element(page.getByRole('columnheader', { name: 'File' })).toBeVisible();
  expect(page.getByRole('columnheader', { name: 'Domain' }).query()).toBeNull();
});

test('a batch is titled by its count, and its rows and filters stand the worst first', async () => {
  const lead = (tone: InspectionHeadline['tone'], id: HeadlineSentence['id']) =>
    ({ tone, test: false, sentences: [{ id, data: {} }] }) as const;
  const { batch } = mountResults([
    { standing: 'activated', failed: [], warned: [] },
    { standing: 'unverified', headline: lead('unknown', 'nothing-found'), failed: [], warned: [] },
    {
      standing: 'unverified',
      headline: lead('bad', 'license-no-key-fits'),
      failed: [],
      warned: [],
    },
  ]);
  await batch.openFiles(files.slice(0, 6), context);
  await expect.element(page.getByRole('heading', { name: '6 documents' })).toBeVisible();
  const rows = (): string[] =>
    [...document.querySelectorAll('[data-standing]')].map(({ textContent }) => textContent.trim());
  await expect
    .poll(rows)
    .toEqual(['Invalid', 'Invalid', 'No license', 'No license', 'Active', 'Active']);
  const filters = [...document.querySelectorAll('.filter-button')];
  expect(filters.map(({ textContent }) => textContent.trim())).toEqual([
    'Invalid 2',
    'No license 2',
    'Active 2',
  ]);
  expect(filters.every((filter) => filter.querySelector('.chip') === null)).toBe(true);
});

test('the filters count what the search finds, and the title says how many documents that are', async () => {
  const { batch } = mountResults([
    { standing: 'activated', domain: 'shop.example', failed: [], warned: [] },
    { standing: 'activated', domain: 'blog.example', failed: [], warned: [] },
    { standing: 'denied', domain: 'blog.example', failed: [], warned: [] },
  ]);
  await batch.openFiles(files.slice(0, 9), context);
  const filters = (): string[] =>
    [...document.querySelectorAll('.filter-button')].map(({ textContent }) => textContent.trim());
  await expect.poll(filters).toEqual(['Stopped 3', 'Active 6']);
  const search = page.getByRole('searchbox');
  await search.fill('blog');
  await expect.element(page.getByRole('heading', { name: '6 of 9' })).toBeVisible();
  expect(filters()).toEqual(['Stopped 3', 'Active 3']);
  // A group without rows is no choice, but one that is chosen stays so.
  await page.getByRole('button', { name: 'Stopped 3' }).click();
  await search.fill('shop');
  await expect.poll(filters).toEqual(['Stopped 0', 'Active 3']);
  await expect.element(page.getByRole('heading', { name: '0 of 9' })).toBeVisible();
  expect(document.querySelector('[role=status]')?.textContent.trim()).toBe('0 of 9');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.element(search).toHaveFocus();
  await expect.poll(filters).toEqual(['Stopped 3', 'Active 6']);
  await expect.element(page.getByRole('heading', { name: '9 documents' })).toBeVisible();
});

test('names of one folder are shown without it, and cut in the middle', async () => {
  await page.viewport(360, 700);
  const { batch } = mountResults({ standing: 'unverified', failed: [], warned: [] });
  const named = ['a', 'b'].map((end) => {
    const name = `samples/unverified-${'not-pinned-'.repeat(9)}${end}.json`;
    return { name, file: new File(['{}'], name) };
  });
  await batch.openFiles(named, context);
  const name = named[0]?.name ?? '';
  await expect.element(page.getByTitle(name)).toHaveTextContent(name);
  const [first, second] = document.querySelectorAll<HTMLElement>('.shortened');
  expect(first?.dataset['drawn']).toMatch(/^unverified-/);
  expect([first, second].map((each) => each?.dataset['drawn']?.slice(-14))).toEqual([
    '-not-pinned-a.json'.slice(-14),
    '-not-pinned-b.json'.slice(-14),
  ]);
  expect(first?.scrollWidth).toBe(first?.clientWidth);
  const ruler = document.createElement('canvas').getContext('2d');
  const { fontSize, fontFamily } = getComputedStyle(first ?? document.body);
  Object.assign(ruler ?? {}, { font: `${fontSize} ${fontFamily}` });
  const hole = (): number => {
    const drawn = ruler?.measureText(first?.dataset['drawn'] ?? '').width ?? 0;
    return Math.abs((first?.getBoundingClientRect().width ?? 0) - drawn);
  };
  await expect.poll(hole).toBeLessThan(2);
  expect(first?.dataset['drawn']).toMatch(/^.{12,}….{14}$/);
});

test('on a phone a name has the whole width, and a row the height of what is in it', async () => {
  await page.viewport(360, 700);
  const headline = {
    tone: 'bad',
    test: false,
    sentences: [{ id: 'license-no-key-fits', data: {} }],
  } as const;
  const { batch } = mountResults([
    { standing: 'unverified', headline, failed: [], warned: [] },
    { standing: 'unverified', headline, failed: [], warned: [], others: 1234 },
  ]);
  const named = ['customer-02-installation-state.json', 'customer-07-installation-state.json'];
  await batch.openFiles(
    named.map((name) => ({ name, file: new File(['{}'], name) })),
    context,
  );
  await expect.element(page.getByTitle(named[0] ?? '')).toBeVisible();
  const shown = [...document.querySelectorAll<HTMLElement>('.shortened')];
  expect(shown.map(({ dataset }) => dataset['drawn'])).toEqual(named);
  const rows = [...document.querySelectorAll('.grid-body > .grid-row')];
  const air = rows.flatMap((row) => {
    const cells = [...row.querySelectorAll('[role=gridcell]')]
      .filter(({ textContent }) => textContent.trim() !== '')
      .map((cell) => cell.getBoundingClientRect());
    const { top, bottom } = row.getBoundingClientRect();
    return [
      Math.min(...cells.map((cell) => cell.top)) - top,
      bottom - Math.max(...cells.map((cell) => cell.bottom)),
    ];
  });
  expect(air).toHaveLength(4);
  expect(Math.max(...air)).toBeLessThan(14);
  expect(Math.min(...air)).toBeGreaterThan(3);
});

test('beside the side bar of a 1280 px window the sentence is a column, of two lines at most', async () => {
  await page.viewport(952, 700);
  const headline = (id: HeadlineSentence['id']) =>
    ({ tone: 'bad', test: false, sentences: [{ id, data: {} }] }) as const;
  const { batch } = mountResults([
    { standing: 'unverified', headline: headline('nothing-found'), failed: [], warned: [] },
    {
      standing: 'unverified',
      headline: headline('undated-certificate'),
      failed: [],
      warned: [],
      others: 1234,
    },
  ]);
  await batch.openFiles(files.slice(0, 2), context);
  const rows = () => [...document.querySelectorAll<HTMLElement>('.grid-body > .grid-row')];
  await expect.poll(() => rows().length).toBe(2);
  for (const row of rows()) {
    const [, name, sentence] = row.querySelectorAll('[role=gridcell]');
    expect(sentence?.getBoundingClientRect().left).toBeGreaterThan(
      name?.getBoundingClientRect().right ?? Infinity,
    );
    expect(sentence?.getBoundingClientRect().bottom).toBeLessThan(
      row.getBoundingClientRect().bottom,
    );
  }
  expect(rows().map(({ offsetHeight }) => offsetHeight)).toEqual([40, 52]);
});

test('a row says how many more licenses its file holds, in the table and in the CSV', async () => {
  const headline = {
    tone: 'unknown',
    test: false,
    sentences: [{ id: 'nothing-found', data: {} }],
  } as const;
  const { batch, saved } = mountResults({
    standing: 'unverified',
    headline,
    failed: [],
    warned: [],
    others: 2,
  });
  await batch.openFiles(files.slice(0, 1), context);
  const more = '(and 2 more in this file)';
  await expect.element(page.getByText(`There is no license in this. ${more}`)).toBeVisible();
  await page.getByRole('button', { name: 'CSV' }).click();
  expect(saved[0]?.content).toContain(more);
});

test('the last column repeats neither the standing nor the domain, and a name has the room of it', async () => {
  await page.viewport(1280, 800);
  const { batch } = mountResults({
    standing: 'activated',
    domain: 'shop.test',
    headline: {
      tone: 'good',
      test: false,
      sentences: [
        {
          id: 'activated',
          data: {
            domain: 'shop.test',
            nextValidationAt: Date.now() + 9e8,
            graceUntil: Date.now() + 18e8,
          },
        },
      ],
    },
    failed: [],
    warned: [],
  });
  await batch.openFiles(files.slice(0, 1), context);
  await expect.element(page.getByText(/Checks in again in/)).toBeVisible();
  await expect.element(page.getByText(/Genuine, active on/)).not.toBeInTheDocument();
  const cells = [...document.querySelectorAll('[role=gridcell]')];
  const widths = cells.map((cell) => cell.getBoundingClientRect().width);
  expect(widths[1] ?? 0).toBeGreaterThan(240);
});

test.each(['validation-due', 'grace'] as const)(
  'a row that is %s says since when, and not its standing or its domain once more',
  async (standing) => {
    const data = {
      domain: 'shop.test',
      nextValidationAt: Date.now() - 3 * 864e5,
      graceUntil: Date.now() + 9e8,
    };
    const headline = { tone: 'caution', test: false, sentences: [{ id: standing, data }] } as const;
    const { batch } = mountResults({
      standing,
      domain: 'shop.test',
      headline,
      failed: [],
      warned: [],
    });
    await batch.openFiles(files.slice(0, 1), context);
    const said = (): string | undefined =>
      [...document.querySelectorAll('[role=gridcell]')].at(-1)?.textContent.trim();
    await expect.poll(said).toBe('Was due 3 days ago.');
  },
);

test('leaving the page asks first while a batch runs, and no longer after it', async () => {
  const held = Promise.withResolvers<undefined>();
  const { batch } = mountResults({ standing: 'unverified', failed: [], warned: [] }, held.promise);
  const asks = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const running = batch.openFiles(files, context);
  expect(asks()).toBe(true);
  held.resolve(undefined);
  await running;
  expect(asks()).toBe(false);
});

test('Cancel and Resume leave the focus on a button of the batch', async () => {
  const held = Promise.withResolvers<undefined>();
  const summary = {
    standing: 'unverified',
    failed: [],
    warned: [],
    triedInVain: maxInVain,
  } as const;
  const { batch } = mountResults(summary, held.promise);
  const focused = (): string => document.activeElement?.textContent.trim() ?? '';
  const running = batch.openFiles(files, context);
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await expect.element(cancel).toBeVisible();
  (cancel.element() as HTMLElement).focus();
  batch.cancel();
  await expect.poll(focused).toBe('CSV');
  held.resolve(undefined);
  await running;

  await batch.openFiles(files, context);
  const goOn = page.getByRole('button', { name: 'Resume' });
  await expect.element(goOn).toBeVisible();
  (goOn.element() as HTMLElement).focus();
  void batch.goOn();
  await expect.poll(focused).toBe('CSV');
});

test('the files of a batch are gone through in a dialog that is titled by the file', async () => {
  const { batch } = mountResults({ standing: 'unverified', failed: [], warned: [] });
  await batch.openFiles(files.slice(0, 3), context);
  await page.getByTitle('customer-1.json').click();
  const dialog = page.getByRole('dialog');
  const title = (name: string) => dialog.getByRole('heading', { name, exact: true, level: 2 });
  await expect.element(title('customer-1.json').first()).toBeVisible();
  await expect.element(dialog.getByText('2 of 3')).toBeVisible();
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect.element(title('customer-2.json').first()).toBeVisible();
  await expect.element(dialog.getByText('3 of 3')).toBeVisible();
});

/** Judges a genuine license for which no key is pinned. */
const unpinned = async (): Promise<DocumentReport> => ({
  inspection: await inspection([token(signer, LICENSE_CLAIMS)], { keys: [] }),
});

test('the way from the dialog of a document to the pinned keys closes the dialog first', async () => {
  const { batch } = mountResults(
    { standing: 'unverified', failed: [], warned: [] },
    undefined,
    unpinned,
  );
  const keys = document.createElement('details');
  keys.className = 'keys';
  keys.innerHTML = '<summary>Pinned keys</summary><form><textarea></textarea></form>';
  document.body.append(keys);
  await batch.openFiles(files.slice(0, 3), context);
  await page.getByTitle('customer-1.json').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Go to pinned keys' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(keys.open).toBe(true);
  expect(document.activeElement).toBe(keys.querySelector('textarea'));
});

test('the dialog keeps its document and its height until the next one is judged', async () => {
  const asked: PromiseWithResolvers<DocumentReport>[] = [];
  const { batch } = mountResults(
    { standing: 'unverified', failed: [], warned: [] },
    undefined,
    () => {
      const question = Promise.withResolvers<DocumentReport>();
      asked.push(question);
      return question.promise;
    },
  );
  await batch.openFiles(files.slice(0, 3), context);
  await page.getByTitle('customer-0.json').click();
  const dialog = page.getByRole('dialog');
  const height = (): number => dialog.element().getBoundingClientRect().height;
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.resolve(await unpinned());
  await expect
    .poll(() => dialog.element().querySelectorAll('.result > *').length)
    .toBeGreaterThan(1);
  const before = height();
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => asked.length).toBe(2);
  expect(dialog.element().querySelector('.result')).not.toBeNull();
  expect(height()).toBe(before);
  asked[1]?.resolve(await unpinned());
  await expect.element(dialog.getByRole('heading', { name: 'customer-1.json' })).toBeVisible();
  expect(height()).toBe(before);
});

test('a document that takes long to judge says that it is being read', async () => {
  let asked = 0;
  const { batch } = mountResults(
    { standing: 'unverified', failed: [], warned: [] },
    undefined,
    () => ((asked += 1) > 1 ? new Promise(() => undefined) : unpinned()),
  );
  await batch.openFiles(files.slice(0, 3), context);
  await page.getByTitle('customer-0.json').click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.element().querySelector('.result')).not.toBeNull();
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect.element(dialog.getByText('Reading customer-1.json', { exact: false })).toBeVisible();
  expect(dialog.element().querySelector('.result')).toBeNull();
});

test('the document that the dialog showed last is the chosen row', async () => {
  const { batch } = mountResults({ standing: 'unverified', failed: [], warned: [] });
  await batch.openFiles(files.slice(0, 3), context);
  await page.getByTitle('customer-0.json').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const chosen = (): (string | undefined)[] =>
    [...document.querySelectorAll('[role=row][aria-selected=true]')].map(
      (row) => /customer-\d/u.exec(row.textContent)?.[0],
    );
  await expect.poll(chosen).toEqual(['customer-2']);
});

test('no row moves when a batch is done', async () => {
  const rest = Promise.withResolvers<undefined>();
  let asked = 0;
  const summary = { standing: 'activated', failed: [], warned: [], triedInVain: 0 } as const;
  const { batch } = mountResults(summary, undefined, undefined, async () => {
    asked += 1;
    if (asked > 1) await rest.promise;
  });
  const running = batch.openFiles(files, context);
  await expect.element(page.getByText('customer-0.json').first()).toBeVisible();
  const tops = (): (number | undefined)[] =>
    ['.filter', '[role="grid"]', '[role="row"]:nth-child(2)'].map(
      (selector) => document.querySelector(selector)?.getBoundingClientRect().top,
    );
  await expect.element(page.getByRole('progressbar')).toBeVisible();
  const before = tops();
  rest.resolve(undefined);
  await running;
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument();
  expect(tops()).toEqual(before);
});
