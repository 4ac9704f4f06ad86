import { expect, type Page } from '@playwright/test';

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

/**
 * Lists the elements that stick out of the page, tables and code that scroll in a frame of their own aside, but not
 * their controls.
 */
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
      const mayScroll = !element.matches('main :is(button, a, select)') && scrolls(element);
      return own > 1 && (right > width + 1 || left < -1) && !mayScroll;
    })
    .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`);
}

/**
 * Lists the texts that a box cuts off without a mark. What a box within has cut with a mark, one around it does not cut
 * again.
 */
function cutOff(): string[] {
  const clips = (element: Element): boolean => {
    const { overflowX, overflowY } = getComputedStyle(element);
    return [overflowX, overflowY].some((value) => ['hidden', 'clip'].includes(value));
  };
  const marks = (element: Element): boolean => {
    const { textOverflow, webkitLineClamp } = getComputedStyle(element);
    return textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
  };
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (parent?.checkVisibility() !== true) continue;
    // The days under a chart, whose table is read out, are not text to be read.
    if (parent.closest('.visually-hidden, .skip-link, .report-days') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    let { left, right, top, bottom } = range.getBoundingClientRect();
    if (left === right) continue;
    for (let box: Element | null = parent; box !== null; box = box.parentElement) {
      if (!clips(box)) continue;
      const outer = box.getBoundingClientRect();
      const isWithin =
        left >= outer.left - 1 &&
        right <= outer.right + 1 &&
        top >= outer.top - 1 &&
        bottom <= outer.bottom + 1;
      if (isWithin) continue;
      if (!marks(box)) found.push(text.textContent?.trim() ?? '');
      [left, right] = [Math.max(left, outer.left), Math.min(right, outer.right)];
      [top, bottom] = [Math.max(top, outer.top), Math.min(bottom, outer.bottom)];
    }
  }
  return found;
}

/**
 * Expects that nothing sticks out of the page at 200 % and at 400 %, in both directions, and that nothing is cut off
 * where its readers set the text wider. Leaves it as it was.
 */
export async function expectWhole(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const direction of ['rtl', 'ltr'])
    for (const size of zoomed) {
      await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
      await page.setViewportSize(size);
      const at = `${direction} at ${String(size.width)} px`;
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
  await page.evaluate(() => document.adoptedStyleSheets.pop());
  if (before !== null) await page.setViewportSize(before);
}
