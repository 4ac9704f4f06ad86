import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createApp } from 'vue';

import NameList from '#components/desk/NameList.vue';
import { createCatalogue } from '#components/i18n';
import InspectionResult from '#components/verifier/result/InspectionResult.vue';
import { directionOf, translatedLanguages } from '#core/text/index';
import reply from '#locales/en/reply.json';
import verifier from '#locales/en/verifier.json';
import { clockMemoryPort } from '#stores/verifier/ports';
import { mounting, type PageHarness } from '#tests/components/mounted';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, NOW, token } from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';

/** Sentences of a language that is written from right to left. */
const askedAt = 'על {date}.';
const printed = askedAt;

beforeEach(() => {
  document.documentElement.dir = 'rtl';
});
afterEach(() => {
  document.documentElement.removeAttribute('dir');
});

/** Returns the exact times in the page's text that are not drawn from left to right. */
function reordered(): { found: number; wrong: string[] } {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const wrong: string[] = [];
  let found = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    for (const { 0: text, index } of (node.textContent ?? '').matchAll(
      /\d{4}-\d\d-\d\d(?: [\d:]+)? UTC/gu,
    )) {
      const leftOf = (at: number): number => {
        const range = document.createRange();
        range.setStart(node, index + at);
        range.setEnd(node, index + at + 1);
        return range.getBoundingClientRect().left;
      };
      if (node.parentElement?.checkVisibility() !== true) continue;
      found += 1;
      const [year, day, zone] = [leftOf(0), leftOf(8), leftOf(text.length - 3)];
      if (!(year < day && day < zone)) wrong.push(text);
    }
  }
  return { found, wrong };
}

async function result(): Promise<PageHarness> {
  await page.viewport(1200, 1000);
  return mounting(InspectionResult, {
    script: {},
    props: {
      inspection: await inspection([
        token(signer, LICENSE_CLAIMS),
        token(signer, CERTIFICATE_CLAIMS),
      ]),
      name: 'state.json',
      judgedAt: NOW,
      chosenMoment: NOW,
      busy: false,
      folded: false,
      purchaseCode: undefined,
    },
    messages: { ...reply, verifier: { ...verifier.verifier, askedAt, printed } },
    ports: (app) =>
      app.provide(clockMemoryPort, {
        note: (moment) => Promise.resolve(moment),
        reset: () => Promise.resolve(),
      }),
  });
}

test('an exact time keeps its order in the sentences of the verifier', async () => {
  await result();
  await expect.poll(() => reordered().found).toBeGreaterThan(4);
  expect(document.querySelector('.result-asked')?.textContent).toContain('על');
  expect(reordered().wrong).toEqual([]);
});

test('a report that is copied holds no isolate', async () => {
  const { copied } = await result();
  await page.getByRole('button', { name: 'Copy report' }).click();
  await expect.poll(() => copied[0]).toContain('UTC');
  expect(copied[0]).not.toMatch(/[\u2066-\u2069]/u);
});

test.each([
  ['ar', 'rtl', -1],
  ['de', 'ltr', 1],
])('in a cell, names of connections follow the page: %s', (locale, dir, sign) => {
  document.documentElement.dir = dir;
  const cell = document.createElement('div');
  cell.dir = 'auto';
  document.body.replaceChildren(cell);
  createApp(NameList, { names: ['Market!', 'Demo'] })
    .use(createCatalogue(locale))
    .mount(cell);
  const [first = 0, second = 0] = [...cell.querySelectorAll('bdi')].map(
    (name) => name.getBoundingClientRect().left,
  );
  expect(Math.sign(second - first)).toBe(sign);
});

/** What is put in for a code, an id, an address or a moment in UTC; a part of it is not. */
const written: Readonly<Record<string, string>> = {
  code: '86781236-23d0-4b3c-7dfa-c1c147e0dece',
  selection: '86781236-23d0-4b3c-7dfa-c1c147e0dece',
  utc: '2027-03-12 14:05:09 UTC',
  clock: '14:05:09 UTC',
  address: 'http://127.0.0.1:8788/shop',
  host: '127.0.0.1:8788',
};

/** Says whether a value stands in a text as it was written, seen from left to right. */
function keepsItsOrder(text: string, value: string): boolean {
  const line = document.createElement('p');
  line.style.whiteSpace = 'nowrap';
  line.style.width = '4000px';
  line.textContent = text;
  document.body.append(line);
  const from = text.indexOf(value);
  const places = Array.from({ length: value.length }, (_, at) => {
    const range = document.createRange();
    range.setStart(line.firstChild ?? line, from + at);
    range.setEnd(line.firstChild ?? line, from + at + 1);
    return range.getBoundingClientRect().left;
  });
  line.remove();
  return places.every((place, at) => at === 0 || place > (places[at - 1] ?? place));
}

const textFiles = import.meta.glob<object>(
  ['../../locales/*/*.json', '!../../locales/*/replies.json'],
  { import: 'default' },
);

test.each(translatedLanguages.filter((language) => directionOf(language) === 'rtl'))(
  'a code, an id, an address and a time in UTC keep their order in every text of %s',
  async (language) => {
    const folder = new RegExp(`/${language}/`);
    const files = await Promise.all(
      Object.entries(textFiles).flatMap(([path, load]) => (folder.test(path) ? [load()] : [])),
    );
    let found = 0;
    const wrong = files
      .flatMap((file) => textsOf(file))
      .flatMap(([name, text]) => {
        // The texts of the verifier get their values isolated by the code.
        if (name.startsWith('verifier.')) return [];
        return Object.entries(written).flatMap(([variable, value]) => {
          const filled = text.replace(new RegExp(`[{$]${variable}[}$]`, 'i'), value);
          if (filled === text) return [];
          found += 1;
          return keepsItsOrder(filled.replaceAll(/\{\w+\}/g, 'الاسم'), value)
            ? []
            : [`${name}: ${variable}`];
        });
      });
    expect(found).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
    const [code = ''] = [written['code']];
    expect(keepsItsOrder(`الرمز: \u2068${code}\u2069`, code)).toBe(true);
    expect(keepsItsOrder(`الرمز: ${code}`, code)).toBe(false);
  },
);

function textsOf(node: object, prefix = ''): [string, string][] {
  return Object.entries(node).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[`${prefix}${name}`, value] as [string, string]]
      : textsOf(value as object, `${prefix}${name}.`),
  );
}
