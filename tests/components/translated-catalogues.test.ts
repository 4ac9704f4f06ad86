import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { translatedLanguages } from '#core/text/index';
import { hasOtherSigns, translationProblems } from '#scripts/checks/translated-texts';
import { root } from '#scripts/machine/processes';
import {
  findDrift,
  readOrigins,
  readTexts,
  recordMade,
  unfinishedLanguages,
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
  test('are whole', () => {
    expect(translationProblems(english, readTexts(language), language)).toEqual([]);
  });

  test('name others as they are called', () => {
    const texts = readTexts(language);
    const wrong = namings.filter(
      ({ key, named }) =>
        !named.some((other) => texts.get(key)?.includes(texts.get(other) ?? '\0')),
    );
    expect(
      wrong.map(({ key, named }) => [texts.get(key), named.map((id) => texts.get(id))]),
    ).toEqual([]);
  });

  test('are of a language that has a name', () => {
    expect(Intl.getCanonicalLocales(language)).toEqual([language]);
  });
});

test.each(unfinishedLanguages)(
  'the texts in %s that are there fit the English ones',
  (language) => {
    const problems = translationProblems(english, readTexts(language), language);
    expect(problems.filter((problem) => !problem.endsWith(': missing'))).toEqual([]);
    expect(translatedLanguages).not.toContain(language);
  },
);

test('no file is of a language that is not registered', () => {
  const tagsIn = (folder: string): readonly string[] =>
    readdirSync(join(root, folder))
      .filter((name) => !/\.(?:csv|md)$|^(?:join|replies)$|^made-from/.test(name))
      .map((name) => name.replace('.json', '').replace('_', '-'))
      .sort();
  const registered = ['en', ...translatedLanguages].sort();
  // What is in these folders is shown.
  for (const folder of ['locales/join', 'locales/replies', 'public/_locales'])
    expect(tagsIn(folder), folder).toEqual(registered);
  expect(tagsIn('locales')).toEqual([...registered, ...unfinishedLanguages].sort());
});

test('the English texts have braces around values alone', () => {
  expect([...english].filter(([, text]) => hasOtherSigns(text))).toEqual([]);
});

test('no English text has changed since it was translated: npm run translations lists both', () => {
  expect([...findDrift(english, readOrigins())]).toEqual([]);
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
  const all = recordMade(before, {}, [...before.keys()], translatedLanguages);

  test('names what is reworded or new, for each language', () => {
    expect(findDrift(before, all).size).toBe(0);
    expect(Object.fromEntries(findDrift(now, all))).toEqual({
      reworded: translatedLanguages,
      new: translatedLanguages,
    });
  });

  test('takes one language after the other, and forgets what is gone', () => {
    const one = recordMade(now, all, names, [first]);
    expect(findDrift(now, one).get('reworded')).toEqual([second, ...others]);
    expect(Object.keys(one)).toEqual(names);
    const rest = recordMade(now, one, names, [second, ...others]);
    expect(findDrift(now, rest).size).toBe(0);
    expect(rest).toEqual(recordMade(now, {}, names, translatedLanguages));
  });

  test('asks every language again when the English changes once more', () => {
    const one = recordMade(now, all, names, [first]);
    const later = new Map([...now, ['reworded', 'Later']]);
    expect(findDrift(later, one).get('reworded')).toEqual(translatedLanguages);
    const again = recordMade(later, one, ['reworded'], [second]);
    expect(findDrift(later, again).get('reworded')).toEqual([first, ...others]);
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
  const drawn = JSON.parse(
    readFileSync(join(root, 'public/_locales/en/messages.json'), 'utf8'),
  ) as object;
  /** `chip_not_found` is the face `not-found`. */
  const faceOf = (name: string): string => name.replace(/^chip_/, '').replaceAll('_', '-');
  const isUsed = (name: string): boolean =>
    used.has(name) || used.has(`__MSG_${name}__`) || used.has(faceOf(name));
  expect(Object.keys(drawn).filter((name) => !isUsed(name))).toEqual([]);
});
