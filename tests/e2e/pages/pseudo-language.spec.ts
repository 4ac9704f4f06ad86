import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { addAuthority, addConnection } from '#scripts/running/agent';
import { grantHosts, launchExtension, openPage } from '#scripts/running/extension';
import { expect, test } from '#tests/support/extension';
import { createTestAuthority, installationState, textFile } from '#tests/support/license-files';
import { settledVerdicts } from '#tests/support/pages/popup-page';
import { pinKey } from '#tests/support/pages/verifier-page';
import { copyInPseudoLanguage, pseudoPlace } from '#tests/support/pseudo-build';
import { outsideBrackets } from '#tests/support/pseudo-language';
import type { TestSandbox } from '#tests/support/sandbox';

const codes = sampleCodes('/demo');
const authority = createTestAuthority();

/** Texts that come from no catalogue: names, those of the program's keys and formats among them. */
const data =
  /Counterfoil|Ledgerline: [\w ]+|Harbour: [\w ]+|Pigeonhole: [\w ()]+|PHP Scripts|Invoicing|WordPress|Blog|Magazine|CSV|JSON|JavaScript|RFC 8032|Fenwick|Market|Sandbox|installation\.json|altered\.json|Key [\dA-F]{4} [\dA-F]{4}|[\da-f]{4}…[\da-f]{4}/gu;

/** The example of the field for names that mean the same product, which is in no language. */
const example = 'Aurora Theme = aurora-theme';

interface Finding {
  readonly text: string;
  readonly place: string;
}

/**
 * Puts the words that the browser itself writes into brackets too: yesterday; the “and” of a list, but not its names.
 */
function bracketWordsOfIntl(): void {
  const days = Object.getPrototypeOf(new Intl.RelativeTimeFormat()) as Intl.RelativeTimeFormat;
  days.format = function (value, unit) {
    const parts = this.formatToParts(value, unit);
    return `⟦${parts.map((part) => part.value).join('')}⟧`;
  };
  const lists = Object.getPrototypeOf(new Intl.ListFormat()) as Intl.ListFormat;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on each list
  const partsOf = lists.formatToParts;
  lists.formatToParts = function (names) {
    const bracketed = (part: { type: 'element' | 'literal'; value: string }): typeof part =>
      part.type === 'literal' ? { ...part, value: `⟦${part.value}⟧` } : part;
    return partsOf.call(this, names).map(bracketed);
  };
  lists.format = function (names) {
    return this.formatToParts(names)
      .map(({ value }) => value)
      .join('');
  };
}

/** Returns each text and label that the page shows, and where. Moments and codes are data. */
function textsOn(page: Page): Promise<Finding[]> {
  return page.evaluate(() => {
    // What the program is given: codes, moments, names of others, and what is in another language.
    const isData = [
      'time',
      'code',
      '.code',
      'kbd',
      'q',
      'pre',
      'bdi',
      'svg',
      'script',
      'style',
      'title',
      'th',
      '[lang]:not(html)',
      '[data-reply]',
      '.reply-list li',
      '.reply-edit',
      '.reply-preview',
      '.fact',
      '.account-card',
      '.links',
      'a[href^="http"]',
      '.timeline .visually-hidden',
      '.fingerprint-groups',
      '.raw-part',
      '.item-name',
      'option',
      '[data-verdict] .card-what',
    ].join(',');
    const found: { text: string; place: string }[] = [];
    const take = (element: Element, text: string | null): void => {
      if (text === null || text.trim() === '' || element.closest(isData) !== null) return;
      if (!element.checkVisibility({ visibilityProperty: true })) return;
      found.push({
        text: text.trim(),
        place: `${element.parentElement?.className ?? ''} > ${element.tagName.toLowerCase()}.${element.className}`,
      });
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, nodeValue } = walker.currentNode;
      if (parentElement !== null) take(parentElement, nodeValue);
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'])
      for (const element of document.body.querySelectorAll(`[${name}]`))
        take(element, element.getAttribute(name));
    return found;
  });
}

/**
 * Returns the boxes whose text is cut, or is wider than they are. A line of a list may be cut if its tooltip has the whole
 * text.
 */
function narrowBoxes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCut = (element: HTMLElement): boolean => {
      const style = getComputedStyle(element);
      const isText = element instanceof HTMLElement;
      if (!isText || style.display === 'inline' || element.clientWidth <= 1) return false;
      const wide =
        element.scrollWidth > element.clientWidth + 1 && !/auto|scroll/.test(style.overflowX);
      const high =
        element.scrollHeight > element.clientHeight + 2 && /hidden|clip/.test(style.overflowY);
      return wide || high;
    };
    const page = document.documentElement;
    return [
      ...(page.scrollWidth > page.clientWidth ? ['the page itself'] : []),
      ...[...document.body.querySelectorAll<HTMLElement>('*')]
        .filter((element) => element.checkVisibility() && isCut(element))
        .filter((element) => element.title !== element.textContent.trim())
        .filter(({ childNodes }) =>
          [...childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.includes('⟦')),
        )
        .map(
          (element) =>
            `${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`,
        ),
    ];
  });
}

/** Expects that all a page shows is of the catalogue, and that it fits, at 360 and at 800 px. */
async function expectTranslated(page: Page, state: string): Promise<void> {
  for (const width of [360, 800]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.soft
      .poll(() => narrowBoxes(page), { message: `${state} at ${String(width)} px`, timeout: 5000 })
      .toEqual([]);
  }
  const speaks = async (): Promise<boolean> =>
    (await textsOn(page)).some(({ text }) => text.includes('⟦'));
  await expect.poll(speaks, `${state} speaks it`).toBe(true);
  const texts = await textsOn(page);
  // Until its picture is there, an item shows the first letter of its name.
  const worded = texts.filter(({ place }) => !place.endsWith('.item-picture'));
  const left = worded.filter(({ text }) =>
    /\p{L}/u.test(text === example ? '' : outsideBrackets(text).replaceAll(data, '')),
  );
  expect.soft(left, state).toEqual([]);
}

/** Starts the extension in the pseudo-language, with two connections, an authority and a pinned key. */
async function startSpeaking(chromium: string, sandbox: TestSandbox) {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-pseudo-'));
  const [build, profile] = [join(folder, 'build'), join(folder, 'profile')];
  await copyInPseudoLanguage(build);
  await grantHosts(profile, ['http://127.0.0.1/*'], build);
  const extension = await launchExtension(profile, {
    executablePath: chromium,
    headless: true,
    build,
  });
  await extension.context.addInitScript(bracketWordsOfIntl);
  const open = (path: string): Promise<Page> => openPage(extension, path);
  const options = await open('options.html');
  await addConnection(options, sandbox.connection('/demo', 'Fenwick'));
  await addConnection(options, sandbox.connection('/market', 'Market'));
  await addAuthority(options, { name: 'Sandbox', address: sandbox.origin });
  const verifier = await open('verifier.html');
  await pinKey(verifier, authority.publicKey);
  await verifier.close();
  // The page loads anew in the other language, and Chromium never closes a tab that is asked to while it does.
  const loaded = options.waitForEvent('load');
  await options.getByLabel('Language', { exact: true }).selectOption(pseudoPlace);
  await loaded;
  await expect(options.getByText('⟦').first()).toBeVisible();
  await options.close();
  return {
    value: { open },
    end: async () => {
      await extension.context.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One browser for all tests, which only look. */
const spoken = test.extend<{ spoken: { readonly open: (path: string) => Promise<Page> } }>({
  spoken: [
    async ({ chromium, kept, sandbox }, use) => {
      await use(await kept('the pseudo-language', () => startSpeaking(chromium, sandbox)));
    },
    { timeout: 120_000 },
  ],
});

/** Opens whatever can be opened on a page. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
}

/** Opens the preview of the reply, where there is one. */
async function openReply(page: Page): Promise<void> {
  const more = page.locator('.reply-bar [popovertarget]').first();
  if (!(await more.isVisible())) return;
  await more.click();
  await page.locator('[role="menuitem"]:visible').first().click();
}

/** Checks a code, and opens the reply. */
async function check(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox').first().fill(code);
  await page.getByRole('textbox').first().press('Enter');
  await expect(settledVerdicts(page).first()).toBeVisible();
  await openReply(page);
  await unfold(page);
}

spoken(
  'the popup and the panel speak it, whatever the verdict',
  async ({ spoken: { open }, sandbox }) => {
    const page = await open('popup.html');
    await expectTranslated(page, 'popup.html');
    for (const name of ['supported', 'lapsed', 'noSupport', 'unknown'] as const) {
      await check(page, codes[name]);
      await expectTranslated(page, name);
    }
    await page.getByRole('textbox').first().fill('no code in here at all');
    await page.getByRole('textbox').first().press('Enter');
    await expectTranslated(page, 'refused');
    await sandbox.injectFault('/demo', { fault: 'html-500', times: 9 });
    await check(page, codes.extended);
    await expectTranslated(page, 'a fault');
    await sandbox.reset();

    // The check in it is the popup's.
    await page.goto(page.url().replace('popup', 'sidepanel'));
    await expectTranslated(page, 'sidepanel.html');
    await check(page, codes.supported);
    await expectTranslated(page, 'sidepanel.html with a verdict');
    await page.close();
  },
);

spoken('the options speak it, forms and the team among them', async ({ spoken: { open } }) => {
  const options = await open('options.html');
  await unfold(options);
  await expectTranslated(options, 'options');
  await options.locator('[data-add]').first().click();
  await unfold(options);
  await options.locator('input[name="secret-mode"]').nth(1).check();
  await expectTranslated(options, 'your own settings with their forms');
  await options.evaluate(() => {
    location.hash = 'team-setup';
  });
  await options.locator('#authorities [data-add]').click();
  await unfold(options);
  await options.locator('[data-team] input').fill('nonsense');
  await options.locator('[data-team] button').click();
  await expectTranslated(options, 'the set-up of a team with its forms');
});

spoken('the desk speaks it', async ({ spoken: { open } }) => {
  const desk = await open('desk.html');
  await expectTranslated(desk, 'desk');
  await desk
    .getByRole('textbox')
    .first()
    .fill(`${codes.supported}\n${codes.lapsed}\n${codes.unknown}`);
  await desk.locator('.bulk-input button.primary').click();
  await expect(desk.getByRole('grid')).toBeVisible();
  await expectTranslated(desk, 'a bulk check');
  for (const section of ['items', 'account', 'history', 'reply']) {
    await desk.goto(desk.url().replace(/#.*/, `#/${section}`));
    await desk.waitForLoadState('networkidle');
    await unfold(desk);
    await expectTranslated(desk, `desk, ${section}`);
  }
});

spoken('the verifier speaks it', async ({ spoken: { open } }) => {
  const verifier = await open('verifier.html');
  await unfold(verifier);
  await expectTranslated(verifier, 'verifier');
  await verifier
    .locator('input[type=file]')
    .setInputFiles([textFile('installation.json', installationState(authority))]);
  await expect(verifier.locator('[data-standing]')).toBeVisible();
  const domain = verifier.locator('.expected input').first();
  await domain.fill('www.shop.example.com');
  await domain.press('Enter');
  // The claim makes the result longer and moves its buttons.
  await expect(verifier.locator('[data-standing]')).toContainText('www.shop.example.com');
  await openReply(verifier);
  await expect(verifier.locator('[data-reply]')).toBeVisible();
  await unfold(verifier);
  await expectTranslated(verifier, 'a document');
  await verifier
    .locator('input[type=file]')
    .setInputFiles([textFile('altered.json', installationState(createTestAuthority()))]);
  await expect(verifier.getByText('altered.json').first()).toBeVisible();
  await unfold(verifier);
  await expectTranslated(verifier, 'a document that is not genuine');
});
