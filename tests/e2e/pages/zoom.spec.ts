import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';
import { createTestAuthority } from '#tests/support/license-files';
import { openDesk } from '#tests/support/pages/desk-page';
import { expectStanding, chooseFiles, pinKey } from '#tests/support/pages/verifier-page';

/** A window of 1280 × 1024 CSS pixels at 200 % and at 400 % (WCAG 2.2, 1.4.10). */
const zoomed = [
  { width: 640, height: 512 },
  { width: 320, height: 256 },
];

/** What readers may set for themselves (WCAG 2.2, 1.4.12). */
const spacing = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}`;

/** Lists the elements that stick out of the page, tables and code that scroll in a frame of their own aside. */
function sticksOut(): string[] {
  const scrolls = (element: Element): boolean => {
    for (let at = element.parentElement; at !== null; at = at.parentElement)
      if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(at).overflowX))
        return true;
    return false;
  };
  const width = document.documentElement.clientWidth;
  return [...document.body.querySelectorAll('*')]
    .filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect();
      return own > 1 && (right > width + 1 || left < -1) && !scrolls(element);
    })
    .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`);
}

/** Lists the texts that a box cuts off without a mark. */
function cutOff(): string[] {
  const hides = (element: Element): boolean => {
    const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
    const isMarked = textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
    return !isMarked && [overflowX, overflowY].some((value) => ['hidden', 'clip'].includes(value));
  };
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (parent?.checkVisibility() !== true) continue;
    if (parent.closest('.visually-hidden, .skip-link') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, top, bottom, width } = range.getBoundingClientRect();
    if (width === 0) continue;
    for (let box: Element | null = parent; box !== null; box = box.parentElement) {
      if (!hides(box)) continue;
      const outer = box.getBoundingClientRect();
      const isWithin =
        left >= outer.left - 1 &&
        right <= outer.right + 1 &&
        top >= outer.top - 1 &&
        bottom <= outer.bottom + 1;
      if (!isWithin) found.push(text.textContent?.trim() ?? '');
    }
  }
  return found;
}

async function expectWhole(page: Page): Promise<void> {
  for (const size of zoomed) {
    await page.setViewportSize(size);
    const at = `at ${String(size.width)} px`;
    await expect.poll(() => page.evaluate(sticksOut), at).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), at).toBe(size.width);
  }
  // The pages' policy refuses a style element.
  await page.evaluate((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets.push(sheet);
  }, spacing);
  await expect.poll(() => page.evaluate(sticksOut), 'with wide text').toEqual([]);
  await expect.poll(() => page.evaluate(cutOff), 'with wide text').toEqual([]);
}

const { supported } = sampleCodes('/demo');

test.describe('at 200 % and 400 %, and with wide text, nothing is cut off', () => {
  test('on popup and panel with a verdict', async ({ connect, extension }) => {
    await connect('/demo', '/market');
    for (const path of ['popup.html', 'sidepanel.html'])
      await test.step(path, async () => {
        const page = await extension.open(path);
        await checkCode(page, supported);
        await expectWhole(page);
        await page.close();
      });
  });

  test('on options with a form that is open, the desk and the verifier with a result', async ({
    connected,
    extension,
  }) => {
    const popup = await connected('/demo');
    await checkCode(popup, supported);
    await popup.close();
    await test.step('options.html', async () => {
      const page = await extension.open('options.html');
      await page.getByRole('button', { name: 'Add connection' }).first().click();
      await expectWhole(page);
      await page.close();
    });
    for (const section of ['items', 'history', 'reply'] as const)
      await test.step(`desk.html, ${section}`, async () => {
        const desk = await openDesk(extension, section);
        await expectWhole(desk);
        await desk.close();
      });
    await test.step('verifier.html', async () => {
      const authority = createTestAuthority();
      const page = await extension.open('verifier.html');
      await pinKey(page, authority.publicKey);
      const license = authority.sign({
        license_id: 'LIC-1',
        product_slug: 'orbit',
        domain: 'a.example',
      });
      await chooseFiles(page, ['customer.lic', license]);
      await expectStanding(page, 'customer.lic', 'not-activated');
      await expectWhole(page);
    });
  });
});
