import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { translatedLanguages } from '#core/text/index';
import { hasOtherSigns, translationProblems } from '#scripts/checks/translated-texts';
import { root } from '#scripts/machine/processes';
import {
  findUntranslated,
  type Origins,
  readTexts,
  readUpToDate,
  recordMade,
  type Texts,
  unregisteredLanguages,
} from '#scripts/translations/texts';

const english = readTexts('en');

/** Names in quotation marks that no text of ours is. */
const namesOfOthers = /^(?:settings|www\.|API (?:access|key)|npm run sandbox)$|[{$]/u;

/** Returns the English texts that name others in quotation marks, as they name controls; each with what it names. */
const namings = [...english].flatMap(([key, text]) =>
  [...text.matchAll(/“([^”]+)”/gu)]
    .map(([, name = '']) => name)
    .filter((name) => !namesOfOthers.test(name))
    .map((name) => ({
      key,
      name,
      named: [...english].flatMap(([other, its]) => (its === name && other !== key ? [other] : [])),
    })),
);

test('what a text names is called so', () => {
  expect(namings.filter(({ named }) => named.length === 0)).toEqual([]);
  expect(namings).toContainEqual({
    key: 'reason.never-proven',
    name: 'Find out how this server expects requests',
    named: ['options.connections.detectTitle'],
  });
});

describe.each(translatedLanguages)('the texts in %s', (language) => {
  test('fit the English ones', () => {
    expect(translationProblems(english, readTexts(language), language)).toEqual([]);
  });

  test('name others as they are called', () => {
    const texts = readUpToDate(language);
    const shown = new Map([...english, ...readTexts(language)]);
    const wrong = namings.filter(
      ({ key, named }) =>
        texts.has(key) &&
        !named.some((other) => texts.get(key)?.includes(shown.get(other) ?? '\0')),
    );
    expect(
      wrong.map(({ key, named }) => [texts.get(key), named.map((id) => texts.get(id))]),
    ).toEqual([]);
  });

  test('are of a language that has a name', () => {
    expect(Intl.getCanonicalLocales(language)).toEqual([language]);
  });
});

test.each(unregisteredLanguages())('the texts in %s fit the English ones', (language) => {
  // Replies would be offered.
  expect(existsSync(join(root, 'locales', language, 'replies.json'))).toBe(false);
  expect(translationProblems(english, readTexts(language), language)).toEqual([]);
});

test('the English texts have braces around values alone', () => {
  expect([...english].filter(([, text]) => hasOtherSigns(text))).toEqual([]);
});

describe('the record of what a translation was made from', () => {
  const [first, second, ...others] = translatedLanguages;
  const names = ['kept', 'reworded', 'new'];
  const before = new Map([
    ['kept', 'Kept'],
    ['reworded', 'Once'],
    ['gone', 'Gone'],
  ]);
  const now = new Map([
    ['kept', 'Kept'],
    ['reworded', 'Now'],
    ['new', 'New'],
  ]);
  const translated = (texts: Texts) => new Map(translatedLanguages.map((tag) => [tag, texts]));
  const record = (texts: Texts, origins: Origins, made: readonly string[]) =>
    recordMade(texts, origins, translated(texts), names, made);
  const untranslated = (texts: Texts, origins: Origins) =>
    findUntranslated(texts, origins, translated(texts));
  const all = recordMade(before, {}, translated(before), [...before.keys()], translatedLanguages);

  test('names what is reworded or new, for each language', () => {
    expect(untranslated(before, all).size).toBe(0);
    expect(Object.fromEntries(untranslated(now, all))).toEqual({
      reworded: translatedLanguages,
      new: translatedLanguages,
    });
  });

  test('takes one language after the other, and forgets what is gone', () => {
    const one = record(now, all, [first]);
    expect(untranslated(now, one).get('reworded')).toEqual([second, ...others]);
    expect(Object.keys(one)).toEqual(names);
    const rest = record(now, one, [second, ...others]);
    expect(untranslated(now, rest).size).toBe(0);
    expect(rest).toEqual(record(now, {}, translatedLanguages));
  });

  test('asks every language again when the English changes once more', () => {
    const one = record(now, all, [first]);
    const later = new Map([...now, ['reworded', 'Later']]);
    expect(untranslated(later, one).get('reworded')).toEqual(translatedLanguages);
    const again = record(later, one, [second]);
    expect(untranslated(later, again).get('reworded')).toEqual([first, ...others]);
  });

  test('names what a language lacks, and cannot record it as made', () => {
    const lacking = new Map([...translated(now), [first, new Map([['kept', 'Kept']])]]);
    const made = recordMade(now, all, lacking, names, translatedLanguages);
    expect(Object.fromEntries(findUntranslated(now, made, lacking))).toEqual({
      reworded: [first],
      new: [first],
    });
  });
});

test('each text that the browser itself draws is used', () => {
  const sources = ['adapters', 'background', 'core', 'entrypoints', 'messaging']
    .flatMap((name) =>
      readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(root, name, file), 'utf8')),
    )
    .concat(readFileSync(join(root, 'wxt.config.ts'), 'utf8'))
    .join('\n');
  const used = new Set(sources.match(/[\w-]+/g));
  const drawn = JSON.parse(readFileSync(join(root, 'locales/en/browser.json'), 'utf8')) as object;
  /** `chip_not_found` is the face `not-found`. */
  const faceOf = (name: string): string => name.replace(/^chip_/, '').replaceAll('_', '-');
  const isUsed = (name: string): boolean =>
    used.has(name) || used.has(`__MSG_${name}__`) || used.has(faceOf(name));
  expect(Object.keys(drawn).filter((name) => !isUsed(name))).toEqual([]);
});
