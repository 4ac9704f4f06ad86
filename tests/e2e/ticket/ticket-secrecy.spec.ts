import type { Page } from '@playwright/test';

import messages from '#locales/en/browser.json' with { type: 'json' };

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { measureEverything, watchEverything } from '#tests/support/watching-page';
import {
  accessibleButtons,
  chipsOf,
  expect,
  findableTexts,
  test,
  hiddenPageWith,
} from '#tests/support/ticket';

const demo = sampleCodes('/demo');
const codes = [demo.supported, demo.lapsed, demo.noSupport, demo.unknown];

/** What the chips of all faces say, and each word of it. */
const chipTexts = [
  ...new Set(
    Object.entries(messages)
      .filter(([name]) => name.startsWith('chip_'))
      .flatMap(([, { message }]) => [message, ...message.split(' ')]),
  ),
];

const textsOf = async (page: Page): Promise<string[]> =>
  (await chipsOf(page)).map(({ label }) => label).sort();

/** A page at the help desk's origin with nothing on it but codes, each in a line of its own, and a style sheet. */
async function showCodes(page: Page, desk: string, css = ''): Promise<void> {
  const lines = codes.map((code) => `<p>${code}</p>`).join('');
  await page.route(`${desk}/hostile`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Ticket</title><style>${css}</style>${lines}`,
    }),
  );
  await page.goto(`${desk}/hostile`);
}

/** Expects that what the page is told and can measure is the same for each verdict. */
async function expectNothingTold(
  page: Page,
  desk: string,
  { byClick, css = '' }: { readonly byClick: boolean; readonly css?: string },
): Promise<void> {
  await page.addInitScript(watchEverything);
  const told = new Map<string, string[]>();
  for (const [code, label] of [
    [demo.supported, 'Supported'],
    [demo.lapsed, 'Support ended'],
    [demo.noSupport, 'No support'],
    [demo.unknown, 'Not found'],
  ] as const) {
    await page.route(`${desk}/hostile-one`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>Ticket</title><style>body { font: 14px monospace } ${css}</style><p>${code}</p>`,
      }),
    );
    await page.goto(`${desk}/hostile-one`);
    if (byClick) {
      await expect.poll(() => textsOf(page)).not.toEqual([]);
      const [chip] = await chipsOf(page);
      await page.mouse.click((chip?.left ?? 0) + 8, (chip?.top ?? 0) + 8);
    }
    await expect.poll(() => textsOf(page)).toEqual([label]);
    await page.mouse.move(0, 400);
    // Two frames with the verdict in them have been drawn, and what is told of them has come.
    await page.screenshot();
    await page.waitForTimeout(300);
    told.set(label, await page.evaluate(measureEverything));
    await page.unroute(`${desk}/hostile-one`);
  }
  const [first = [], ...others] = [...told.values()];
  expect(first.join('\n')).toContain('#');
  for (const other of others) expect(other).toEqual(first);
}

test('where codes are checked by themselves, a page learns no verdict', async ({
  connectAtDesk,
  extension,
  desk,
}) => {
  await connectAtDesk(['/demo'], { automatic: true });
  // A tab may have 20 codes a minute looked up by themselves.
  const newTab = (): Promise<Page> => extension.now.context.newPage();

  await test.step('a script of the page cannot find a verdict by searching; a screen reader is told it', async () => {
    const page = await newTab();
    await showCodes(page, desk);
    await expect
      .poll(() => textsOf(page))
      .toEqual(['No support', 'Not found', 'Support ended', 'Supported']);
    expect(await findableTexts(page, [demo.supported])).toEqual([demo.supported]);
    expect(await findableTexts(page, chipTexts)).toEqual([]);
    expect((await accessibleButtons(page)).sort()).toEqual(
      [
        `No support: ${demo.noSupport}`,
        `Not found: ${demo.unknown}`,
        `Support ended: ${demo.lapsed}`,
        `Supported: ${demo.supported}`,
      ].sort(),
    );
  });

  for (const css of [
    '',
    'html { transform: scale(3); transform-origin: 0 0 } body { font-size: 4px }',
  ])
    await test.step('no observer and no measure of the page tells one verdict from another', async () => {
      await expectNothingTold(await newTab(), desk, { byClick: false, css });
    });

  await test.step('a font of the page never sees the letters of a chip', async () => {
    const ofPage = 'Font of the page';
    const families = [
      'system-ui',
      'ui-sans-serif',
      'sans-serif',
      'serif',
      'monospace',
      'inherit',
      'initial',
      '-apple-system',
      'BlinkMacSystemFont',
      'Segoe UI',
      'Roboto',
      'Helvetica',
      'Arial',
      'DejaVu Sans',
      'Liberation Sans',
      'Noto Sans',
      'Times New Roman',
      ofPage,
    ];
    const { origin } = new URL(desk);
    const faces = families.map((name) => {
      const source = `${origin}/font/${encodeURIComponent(name)}`;
      return `@font-face { font-family: "${name}"; src: url("${source}"); unicode-range: U+0-2FFF; }`;
    });
    const page = await newTab();
    const asked = new Set<string>();
    await page.route(`${origin}/font/*`, async (route) => {
      asked.add(decodeURIComponent(new URL(route.request().url()).pathname.slice('/font/'.length)));
      await route.abort();
    });
    await showCodes(page, desk, `${faces.join('')} p { font-family: "${ofPage}"; }`);
    await expect.poll(() => textsOf(page)).toContain('Supported');
    // A frame has been drawn with the chips in it.
    await page.screenshot();
    expect([...asked]).toEqual([ofPage]);
  });
});

test('nor after a click, while a code is asked about and once its verdict is there; no observer and no measure of the page tells it', async ({
  ticketPage,
  extension,
  sandbox,
  desk,
}) => {
  const page = await ticketPage(['/demo']);
  await showCodes(page, desk);
  await expect.poll(() => textsOf(page)).toEqual(['Check', 'Check', 'Check', 'Check']);
  expect(await findableTexts(page, chipTexts)).toEqual([]);

  await sandbox.injectFault('/demo', { fault: 'latency', ms: 2000 });
  const chip = (await chipsOf(page)).find(({ code }) => code === demo.supported);
  await page.mouse.click((chip?.left ?? 0) + 8, (chip?.top ?? 0) + 8);
  await expect.poll(() => textsOf(page)).toContain('Checking…');
  expect(await findableTexts(page, chipTexts)).toEqual([]);
  await hiddenPageWith(extension, 'sidepanel.html', 'supported');
  await expect.poll(() => textsOf(page)).toContain('Supported');
  expect(await findableTexts(page, chipTexts)).toEqual([]);
  expect(await accessibleButtons(page)).toContain(`Supported: ${demo.supported}`);

  await expectNothingTold(await extension.now.context.newPage(), desk, { byClick: true });
});
