import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { translatedLanguages } from '#core/text/index';
import { root } from '#scripts/machine/processes';
import { readTexts } from '#scripts/translations/texts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Returns what a listing quotes below a heading, on one line. */
function quoted(file: string, heading: string): string {
  const section = read(`docs/store/${file}`).split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('> '));
  return lines.map((line) => line.slice(2)).join(' ');
}

test('the short description fits the stores in every language of the manifest', () => {
  const texts = ['en', ...translatedLanguages].flatMap(
    (language) => readTexts(language).get('description.message') ?? [],
  );
  expect(texts.length).toBeGreaterThan(8);
  for (const { length } of texts) {
    expect(length).toBeGreaterThan(10);
    expect(length).toBeLessThanOrEqual(132);
  }
});

test('the Chrome listing quotes the manifest, and both summaries fit', () => {
  const { description: own } = JSON.parse(read('locales/en/browser.json')) as {
    readonly description: { readonly message: string };
  };
  expect(quoted('chrome-web-store.md', 'Summary')).toBe(own.message);
  const summary = quoted('amo.md', 'Summary');
  expect(summary.startsWith(own.message.slice(0, -1))).toBe(true);
  expect(summary.length).toBeLessThanOrEqual(250);
});

test('the description is of a length that every store takes', () => {
  const text = read('docs/store/description.txt').trimEnd();
  expect(text.length).toBeGreaterThan(250);
  expect(text.length).toBeLessThanOrEqual(10_000);
});
