import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { translatedLanguages } from '#core/text/language';
import { root } from '#scripts/machine/processes';
import { readTexts, type Texts } from '#scripts/translations/texts';

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

type Row = Readonly<Record<string, string>>;

/** Reads rows whose first names the columns. */
function rowsOf(lines: readonly string[], separator: ',' | '|'): readonly Row[] {
  const [head = [], ...rows] = lines.map((line) =>
    line.split(separator).map((cell) => cell.trim()),
  );
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [head[at] ?? '', cell])));
}

/** Reads the tables of a document, in their order. */
function tablesOf(document: string): readonly (readonly Row[])[] {
  return [...document.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => {
    const lines = table.trim().split('\n');
    return rowsOf(
      lines.filter((_, at) => at !== 1),
      '|',
    );
  });
}

/** Leaves out placeholders and paths. */
function wordsIn(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\{[^}]*\}|(?:\/[\w-]+)+/g, ' ');
}

function formsOf(cell: string | undefined): readonly string[] {
  return (cell ?? '').split(' / ').map((form) => wordsIn(form));
}

function holds(text: string, forms: readonly string[]): boolean {
  return forms.some((form) => text.includes(form));
}

/** Finds the texts that have a term, as a term of its own: "purchase" is none in "purchase code". */
function keysWith(
  forms: readonly string[],
  all: readonly string[],
  english: Texts,
): readonly string[] {
  const longer = all.filter((other) =>
    forms.some((form) => other !== form && other.includes(form)),
  );
  return [...english].flatMap(([key, text]) => {
    const rest = longer.reduce((left, term) => left.replaceAll(term, ' '), wordsIn(text));
    return holds(rest, forms) ? [key] : [];
  });
}

/** Names each text that lacks the word for a term, or holds one that is not used. */
function problemsOf(
  held: readonly Row[],
  wrong: readonly Row[],
  english: Texts,
  translated: Texts,
  language: string,
): readonly string[] {
  const all = held.flatMap((row) => formsOf(row['English']));
  const lacking = held.flatMap((row) =>
    keysWith(formsOf(row['English']), all, english)
      .filter((key) => !(saidOtherwise[key] ?? []).includes(language))
      .filter((key) => !holds(wordsIn(translated.get(key) ?? ''), formsOf(row[language])))
      .map((key) => `${key}: lacks ${row['English'] ?? ''}`),
  );
  const unused = wrong
    .filter((row) => row['Language'] === language)
    .flatMap((row) =>
      [...translated]
        .filter(([, text]) => holds(wordsIn(text), formsOf(row['Not'])))
        .map(([key]) => `${key}: holds ${row['Not'] ?? ''}`),
    );
  return [...lacking, ...unused];
}

const fileOf = (name: string): string => readFileSync(join(root, 'locales', name), 'utf8');
const held = rowsOf(fileOf('glossary.csv').trim().split('\n'), ',');
const [, wrong = []] = tablesOf(fileOf('glossary.md'));
const english = readTexts('en');

describe.each(translatedLanguages)('the glossary in %s', (language) => {
  test('is kept by every text', () => {
    expect(Object.keys(held[0] ?? {})).toContain(language);
    expect(problemsOf(held, wrong, english, readTexts(language), language)).toEqual([]);
  });
});

test('each term of the glossary is one of an English text', () => {
  const all = held.flatMap((row) => formsOf(row['English']));
  const unused = held.filter((row) => keysWith(formsOf(row['English']), all, english).length === 0);
  expect(unused.map((row) => row['English'])).toEqual([]);
});

test('each text that says a term otherwise is there', () => {
  expect(Object.keys(saidOtherwise).filter((key) => !english.has(key))).toEqual([]);
});

test('the check names each kind of problem', () => {
  const [terms = [], others = []] = tablesOf(
    [
      '| English | de |',
      '| --- | --- |',
      '| purchase code | Kaufcode |',
      '| purchase | Kauf / Käufe |',
      '',
      '| Language | Not | But |',
      '| --- | --- | --- |',
      '| de | Erwerb | Kauf |',
      '| es | code | código |',
      '',
    ].join('\n'),
  );
  const texts = new Map([
    ['kept', 'Two Purchases'],
    ['lost', 'One purchase'],
    ['longer', 'A purchase code'],
    ['path', 'At {address}/purchase'],
  ]);
  const german = new Map([
    ['kept', 'Zwei Käufe'],
    ['lost', 'Ein Erwerb'],
    ['longer', 'Ein Code'],
    ['path', 'Bei {address}/purchase'],
  ]);
  expect(problemsOf(terms, others, texts, german, 'de')).toEqual([
    'longer: lacks purchase code',
    'lost: lacks purchase',
    'lost: holds Erwerb',
  ]);
});
