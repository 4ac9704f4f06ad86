import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { translatedLanguages } from '#core/text/language';

const folder = fileURLToPath(new URL('../../locales/', import.meta.url));
const names = readdirSync(`${folder}en`);

type Messages = ReadonlyMap<string, string>;

function messagesOf(file: string): Messages {
  const flat = (node: object, prefix: string): [string, string][] =>
    Object.entries(node).flatMap(([name, value]) =>
      typeof value === 'string'
        ? [[prefix + name, value] as [string, string]]
        : flat(value as object, `${prefix}${name}.`),
    );
  return new Map(flat(JSON.parse(readFileSync(file, 'utf8')) as object, ''));
}

/** Tells whether a text holds braces of another kind than those of a value. */
function hasOtherSigns(text: string): boolean {
  return /[{}]/.test(text.replaceAll(/\{\w+\}/g, ''));
}

/** Names what is wrong with the texts of a language, measured by the English ones. */
function problemsOf(english: Messages, translated: Messages, language: string): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.length;
  const placeholders = (text: string): string =>
    [...new Set(text.match(/\{[^}]*\}/g))].sort().join(' ');
  const problems = [...english].flatMap(([key, text]) => {
    const other = translated.get(key);
    if (other === undefined) return [`${key}: missing`];
    const parts = other.split('|');
    const counts = text.includes('|') ? [1, forms] : [1];
    return [
      ...(parts.some((part) => part.trim() === '') ? [`${key}: empty`] : []),
      ...(counts.includes(parts.length)
        ? []
        : [`${key}: ${String(parts.length)} forms of ${String(forms)}`]),
      ...(placeholders(other) === placeholders(text) ? [] : [`${key}: other placeholders`]),
      ...(hasOtherSigns(other) ? [`${key}: a sign that is read as none of a text`] : []),
    ];
  });
  const unused = [...translated.keys()].filter((key) => !english.has(key));
  return [...problems, ...unused.map((key) => `${key}: not in English`)];
}

describe.each(translatedLanguages)('the texts in %s', (language) => {
  test.each(names)('are whole: locales/*/%s', (name) => {
    const file = `${folder}${language}/${name}`;
    expect(existsSync(file), `${file} is there`).toBe(true);
    expect(problemsOf(messagesOf(`${folder}en/${name}`), messagesOf(file), language)).toEqual([]);
  });

  test('are of a language that has a name, and replies', () => {
    expect(Intl.getCanonicalLocales(language)).toEqual([language]);
    expect(existsSync(`${folder}replies/${language}.json`)).toBe(true);
  });
});

test('no file is of a language that is not registered', () => {
  const tags = readdirSync(folder).filter((name) => !name.endsWith('.md') && name !== 'replies');
  expect(tags.sort()).toEqual(['en', ...translatedLanguages].sort());
});

test.each(names)('the English texts have braces around values alone: en/%s', (name) => {
  const texts = [...messagesOf(`${folder}en/${name}`)];
  expect(texts.filter(([, text]) => hasOtherSigns(text))).toEqual([]);
});

test('each text that the browser itself draws is used', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const sources = ['adapters', 'background', 'core', 'entrypoints', 'messaging']
    .flatMap((name) =>
      readdirSync(root + name, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(`${root}${name}/${file}`, 'utf8')),
    )
    .concat(readFileSync(`${root}wxt.config.ts`, 'utf8'))
    .join('\n');
  const used = new Set(sources.match(/[\w-]+/g));
  const english = JSON.parse(
    readFileSync(`${root}public/_locales/en/messages.json`, 'utf8'),
  ) as object;
  /** `chip_not_found` is the face `not-found`. */
  const faceOf = (name: string): string => name.replace(/^chip_/, '').replaceAll('_', '-');
  const isUsed = (name: string): boolean =>
    used.has(name) || used.has(`__MSG_${name}__`) || used.has(faceOf(name));
  expect(Object.keys(english).filter((name) => !isUsed(name))).toEqual([]);
});

test('the texts that the browser itself draws are there in each language, with the same placeholders', () => {
  const root = fileURLToPath(new URL('../../public/_locales/', import.meta.url));
  const english = messagesOf(`${root}en/messages.json`);
  const folders = translatedLanguages.map((tag) => tag.replace('-', '_'));
  expect(readdirSync(root).sort()).toEqual(['en', ...folders].sort());
  const variables = (text: string): readonly string[] => text.match(/\$\w+\$/g) ?? [];
  for (const folder of folders) {
    const translated = messagesOf(`${root}${folder}/messages.json`);
    expect([...translated.keys()].sort(), folder).toEqual([...english.keys()].sort());
    for (const [key, text] of english)
      expect(variables(translated.get(key) ?? ''), `${folder} ${key}`).toEqual(variables(text));
  }
});

test('the check names each kind of problem', () => {
  const english = new Map([
    ['gone', 'Gone'],
    ['hollow', 'Hollow'],
    ['named', '{name} said {msg}'],
    ['counted', '{count} code|{count} codes'],
    ['same', '{count} left|{count} left'],
    ['plain', 'Plain'],
    ['braced', 'At @'],
  ]);
  const german = new Map([
    ['hollow', ''],
    ['named', '{name} sagte {message}'],
    ['counted', '{count} Code|{count} Codes|{count} Codes'],
    ['same', 'noch {count}'],
    ['plain', 'ein|zwei'],
    ['braced', "Bei {'@'}"],
    ['old', 'Alt'],
  ]);
  expect(problemsOf(english, german, 'de')).toEqual([
    'gone: missing',
    'hollow: empty',
    'named: other placeholders',
    'counted: 3 forms of 2',
    'plain: 2 forms of 2',
    'braced: other placeholders',
    'braced: a sign that is read as none of a text',
    'old: not in English',
  ]);
});
