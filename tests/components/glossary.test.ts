import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { translatedLanguages } from '#core/text/index';
import { formsOf, glossaryProblems, keysWith, rowsOf, tablesOf } from '#scripts/checks/glossary';
import { root } from '#scripts/machine/processes';
import { readTexts, readUpToDate } from '#scripts/translations/texts';

/** Texts that say a term in another way, for good reason, and in which languages. */
const saidOtherwise: Readonly<Record<string, readonly string[]>> = {
  // Whoever runs the authority publishes a fingerprint.
  'verifier.keys.compareWhy': translatedLanguages,
  // The verifier, not the license server, does not accept it.
  'verifier.check.shared.wrapped.say': translatedLanguages,
  // The word takes the place of any item's name, in any case of the German article.
  'words.this-item': ['de'],
  // A support team has a name of its own in Chinese.
  'description.message': ['zh-CN'],
  // A Japanese sentence leaves out the subject that everybody knows.
  'templates.activated.text': ['ja'],
  'templates.validation-due.text': ['ja'],
  'templates.grace.text': ['ja'],
  'templates.denied.text': ['ja'],
};

const fileOf = (name: string): string => readFileSync(join(root, 'locales', name), 'utf8');
const held = rowsOf(fileOf('glossary.csv').trim().split('\n'), ',');
const [, wrong = []] = tablesOf(fileOf('glossary.md'));
const english = readTexts('en');

describe.each(translatedLanguages.filter((language) => language in (held[0] ?? {})))(
  'the glossary in %s',
  (language) => {
    test('is kept by every text', () => {
      expect(
        glossaryProblems(held, wrong, english, readUpToDate(language), language, saidOtherwise),
      ).toEqual([]);
    });
  },
);

test('each term of the glossary is one of an English text', () => {
  const all = held.flatMap((row) => formsOf(row['English']));
  const unused = held.filter((row) => keysWith(formsOf(row['English']), all, english).length === 0);
  expect(unused.map((row) => row['English'])).toEqual([]);
});

test('each text that says a term otherwise is there', () => {
  expect(Object.keys(saidOtherwise).filter((key) => !english.has(key))).toEqual([]);
});
