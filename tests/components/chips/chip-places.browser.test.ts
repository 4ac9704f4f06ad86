import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';

import {
  addShadowRoot,
  code,
  elementOf,
  showPage,
  textNodesIn,
} from '#tests/components/chips/ticket-page';
import { createChipPlaces, type ChipPlace } from '#components/chips/chip-places';
import { chipSize } from '#components/chips/chip-style';
import type { Mark } from '#components/chips/code-marks';
import { overlaps } from '#components/chips/word-boxes';

const host = document.createElement('div');
const other = code.replace('8678', '9999');
const style = '<style>body{margin:40px;font:16px/1.5 sans-serif}p{margin:0 0 12px}</style>';

/** Marks the codes of the page, one in each text node, or one that begins in one node and ends in another. */
function marksOf(texts: readonly Text[]): Mark[] {
  return texts.flatMap((text): Mark[] => {
    const at = text.data.search(/(?:8678|9999)c3cd/);
    if (at < 0) return [];
    const to = Math.min(text.length, at + code.length);
    const head = text.data.slice(at, to);
    return [{ code: head, from: text, fromOffset: at, to: text, toOffset: to, head, tail: '' }];
  });
}
function placesOn(html: string): (ChipPlace | undefined)[] {
  const marks = marksOf(showPage(style + html));
  return [...createChipPlaces(host, chipSize).find(marks).values()];
}
function formsOn(html: string): (string | undefined)[] {
  return placesOn(html).map((place) => place?.form);
}
/** The rectangles of all words of the page, measured without the code under test. */
function wordRects(): DOMRect[] {
  const range = document.createRange();
  return textNodesIn(document.body)
    .filter(({ parentElement }) => parentElement?.tagName !== 'STYLE')
    .flatMap((text) =>
      [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return [...range.getClientRects()];
      }),
    );
}

beforeEach(() => page.viewport(1000, 600));
afterEach(() => {
  document.documentElement.removeAttribute('style');
  document.body.replaceChildren();
  scrollTo(0, 0);
});

describe('the place of a chip', () => {
  it('is after a code that ends its line, in the middle of its height', () => {
    const [place] = placesOn(`<p><b>${code}</b></p>`);
    const { right, top, bottom } = elementOf('b').getBoundingClientRect();
    expect(place).toMatchObject({ form: 'wide', left: Math.round(right + 4) });
    expect(Math.abs((place?.top ?? 0) + 10 - (top + bottom) / 2)).toBeLessThanOrEqual(1);
  });

  it('is after the line where words follow the code', () => {
    const [place] = placesOn(`<p>${code} <b>is my code.</b></p>`);
    expect(place).toMatchObject({
      form: 'wide',
      left: Math.round(elementOf('b').getBoundingClientRect().right + 4),
    });
  });

  it('is on the left of a code in a line from right to left', () => {
    const [place] = placesOn(`<p dir="rtl"><b>${code}</b></p>`);
    const { left } = elementOf('b').getBoundingClientRect();
    expect(place).toMatchObject({ form: 'wide', right: Math.round(left - 4), opensLeft: true });
  });

  it('has no room for a month where the window ends soon', () => {
    const line = `<p style="position:absolute;right:150px;white-space:nowrap">${code}</p>`;
    expect(placesOn(line)).toMatchObject([{ form: 'chip', opensLeft: false }]);
  });

  it('is an icon where there is no room for more', () => {
    const cell = (text: string): string => `<td style="padding:0 24px 0 0">${text}</td>`;
    expect(formsOn(`<table><tr>${cell(code)}${cell('old shop')}</tr></table>`)).toEqual(['icon']);
  });

  it('is in the margin before a line that is full', () => {
    const [place] = placesOn(
      `<p style="white-space:nowrap;margin-left:60px"><b>${code}</b> ${'word '.repeat(90)}</p>`,
    );
    const { left } = elementOf('p').getBoundingClientRect();
    expect(place).toMatchObject({ form: 'icon', right: Math.round(left - 4) });
  });

  it('is nowhere where nothing is free', () => {
    const full = `position:absolute;left:0;top:30px;width:1000px;white-space:nowrap;overflow:hidden`;
    expect(
      formsOn(`<p style="${full}">${'word '.repeat(8)}${code}${' word'.repeat(60)}</p>`),
    ).toEqual([undefined]);
  });

  it('is not beyond another code of the line', () => {
    const [first, second] = placesOn(`<p><b>${code}</b> and <i>${other}</i></p>`);
    const left = elementOf('b').getBoundingClientRect().left;
    expect(first).toMatchObject({ form: 'icon', right: Math.round(left - 4) });
    expect(second?.left).toBe(Math.round(elementOf('i').getBoundingClientRect().right + 4));
  });

  it('opens to the left where the window ends', () => {
    const line = `<p style="position:absolute;right:30px;white-space:nowrap">${code}</p>`;
    expect(placesOn(line)).toMatchObject([{ form: 'icon', opensLeft: true }]);
  });

  it.each([
    ['the next line is near', '<br><i>next line of words</i>', true],
    ['the next paragraph is near', '<p style="margin:8px 0 0"><i>next line of words</i></p>', true],
    ['the next words are far', '<p style="margin:60px 0 0"><i>next line of words</i></p>', false],
    ['nothing is below', '', false],
  ])(
    'unfolds below its code, clear of it, over the middle of a line where %s',
    (_, below, isOver) => {
      const [place] = placesOn(
        `<div style="position:absolute;right:30px;white-space:nowrap;text-align:right;font:16px/1.5 sans-serif"><b>${code}</b>${below}</div>`,
      );
      const top = (place?.top ?? 0) + (place?.drop ?? 0);
      expect(top).toBeGreaterThanOrEqual(
        Math.round(elementOf('b').getBoundingClientRect().bottom) - 1,
      );
      if (!isOver) {
        expect(top).toBeLessThanOrEqual((place?.bottom ?? 0) + 3);
        return;
      }
      const next = elementOf('i').getBoundingClientRect();
      expect(Math.abs(top + 10 - (next.top + next.bottom) / 2)).toBeLessThanOrEqual(1);
    },
  );

  it('unfolds below its line where it stands before that', () => {
    const line = `<p style="white-space:nowrap;margin-left:60px"><b>${code}</b> ${'word '.repeat(90)}</p>`;
    expect(placesOn(line)).toMatchObject([{ form: 'icon', opensLeft: false }]);
    expect(placesOn(line)[0]?.drop).toBeGreaterThanOrEqual(18);
  });

  it('is after an earlier line of its code where the last one ends at the edge of a card', () => {
    const [place] = placesOn(
      `<div style="box-sizing:content-box;width:26ch;border:1px solid;padding:0 20px;font:16px monospace">${code}, that was it.</div>`,
    );
    const card = document.querySelector('div')?.getBoundingClientRect();
    expect(place?.right).toBeLessThanOrEqual((card?.right ?? 0) - 4);
    expect(place?.bottom).toBeLessThan(((card?.top ?? 0) + (card?.bottom ?? 0)) / 2 + 4);
    expect(wordRects().some((word) => place && overlaps(word, place))).toBe(false);
  });

  it('is inside what clips the code', () => {
    const box = `<div style="overflow:hidden;width:max-content">${code}</div>`;
    expect(placesOn(`${box}<p>Next</p>`)[0]).toBeUndefined();
  });

  it('is nowhere for a code that is scrolled away, hidden or covered', () => {
    const cover = '<div style="position:fixed;inset:0"></div>';
    const starts = ['<p style="margin-top:2000px">', '<p style="display:none">', `${cover}<p>`];
    expect(starts.flatMap((start) => placesOn(`${start}${code}</p>`))).toEqual([]);
  });

  it('is found in a shadow tree, and beside the words of another', () => {
    showPage(style);
    const root = addShadowRoot(document.body, `<p><b>${code}</b></p>`);
    const marks = marksOf(textNodesIn(root));
    const [place] = [...createChipPlaces(host, chipSize).find(marks).values()];
    expect(place).toMatchObject({ form: 'wide' });
  });

  it('moves with its code while the page scrolls, and is searched anew when something comes over it', () => {
    const marks = marksOf(showPage(`${style}<p>${code}</p><p style="height:3000px"></p>`));
    const places = createChipPlaces(host, chipSize);
    const [before] = [...places.find(marks).values()];
    scrollTo(0, 20);
    const [moved] = [...places.find(marks).values()];
    expect(moved?.top).toBe((before?.top ?? 0) - 20);
    const { left = 0, top = 0 } = moved ?? {};
    document.body.insertAdjacentHTML(
      'beforeend',
      `<div style="position:fixed;left:${String(left)}px;top:${String(top)}px;width:600px">Menu</div>`,
    );
    const after = [...places.find(marks).values()];
    expect(after.some((place) => place?.left === left)).toBe(false);
  });
});

const td = (text: string): string => `<td style="padding:0 4px">${text}</td>`;
const shapes: readonly (readonly [string, string])[] = [
  [
    'the next column of a table',
    `<table><tr>${td(code)}${td('old shop')}</tr><tr>${td(other)}${td('new')}</tr></table>`,
  ],
  ...['b', 'a', 'code', 'font', 'span', 'mark'].map(
    (tag) =>
      [`words after <${tag}>`, `<p><${tag}>${code}</${tag}> is my code, thanks.</p>`] as const,
  ),
  ['words of nested elements', `<p><b><i>${code}</i></b><span> and <u>more</u></span></p>`],
  [
    'words on the right in a right-to-left mail',
    `<p dir="rtl">مرحباً، رمز الشراء هو <bdi>${code}</bdi> والموقع يعمل على الخادم الجديد.</p>`,
  ],
  [
    'long running text',
    `<p>${'The site was moved. '.repeat(14)}${code} ${'It worked until Monday. '.repeat(20)}</p>`,
  ],
  [
    'words without pointer events',
    `<p style="position:relative">${code}<span style="pointer-events:none"> not a button</span><b style="pointer-events:none;position:absolute;left:330px">stamp</b></p>`,
  ],
  [
    'a float beside it',
    `<p><span style="float:right;width:560px">A note beside the text</span>${code}</p>`,
  ],
  [
    'flex columns',
    `<div style="display:flex;gap:3px"><span>342</span><a>${code}</a><span>Yesterday</span></div>`,
  ],
  [
    'tight lines',
    `<div style="font:13px/1 sans-serif">${`${'words above and below '.repeat(6)}<br>`.repeat(2)}${code}<br>${'words above and below '.repeat(6)}</div>`,
  ],
  [
    'another code, a tight line below',
    `<div style="font:12px/1 sans-serif">${code}<br>${other}</div>`,
  ],
  [
    'overflowing words of another box',
    `<p>${code}</p><div style="height:0;position:relative;top:-36px;left:340px;white-space:nowrap">out of its box</div>`,
  ],
  [
    'a field and a picture',
    `<p>${code}<input value="words"><img alt="words" width="90" height="20"></p>`,
  ],
  [
    'generated words',
    `<style>.new::after{content:" (new)"}</style><p><b class="new">${code}</b></p>`,
  ],
];

describe('no chip lies over a word, its own code or another chip', () => {
  it.each(shapes)('beside %s', (_, html) => {
    const places = placesOn(html).filter((place) => place !== undefined);
    const words = wordRects();
    expect(words.length).toBeGreaterThan(0);
    for (const [index, place] of places.entries()) {
      expect(words.filter((word) => overlaps(word, place))).toEqual([]);
      expect(places.slice(index + 1).filter((one) => overlaps(one, place))).toEqual([]);
    }
    for (const element of document.querySelectorAll('input, img, .new'))
      for (const place of places)
        expect(overlaps(element.getBoundingClientRect(), place)).toBe(false);
  });
});
