import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse, record, string } from 'valibot';

import { translatedLanguages } from '#core/text/index';
import { root } from '#scripts/machine/processes';

/**
 * Texts by their dotted names, which are unique across all files; a reply template's by its `id`:
 * `templates.grace.text`.
 */
export type Texts = ReadonlyMap<string, string>;

/**
 * The languages whose texts are not whole yet: they have a folder in `locales/`, of whose files some may lack, and are
 * shown to nobody.
 */
export const unfinishedLanguages: readonly string[] = [];

/**
 * Reads all that a person reads in one language: the catalogues, the replies to customers, what the browser itself
 * draws, and the relay's pages (`joinPages.cancel`). Leaves out the files that the language lacks.
 */
export function readTexts(language: string): Texts {
  const files = [
    ...readdirSync(join(root, 'locales/en')).map((name) => `locales/${language}/${name}`),
    `locales/replies/${language}.json`,
    `public/_locales/${language.replace('-', '_')}/messages.json`,
    `locales/join/${language}.json`,
  ];
  return new Map(
    files
      .filter((file) => existsSync(join(root, file)))
      .flatMap((file) => textsIn(JSON.parse(readFileSync(join(root, file), 'utf8')) as object))
      .filter(([name]) => !/^templates\..*\.(?:id|situation)$|\.placeholders\./.test(name)),
  );
}

/** Returns the texts of a catalogue, each with its dotted name. */
export function textsIn(node: object, prefix = ''): [string, string][] {
  return Object.entries(node).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[prefix + name, value] as [string, string]];
    const named = Array.isArray(node) ? (value as { readonly id: string }).id : name;
    return textsIn(value as object, `${prefix}${named}.`);
  });
}

/**
 * Which English each translation was made from. Under a text's name stands the mark of that English, which counts for
 * all languages, also for those added later; or the mark and, behind it, the only languages whose translation was made
 * from it: `1f0c9a de fr`.
 */
export type Origins = Readonly<Record<string, string>>;

const originsFile = join(root, 'locales/made-from.json');

export function readOrigins(): Origins {
  return parse(record(string(), string()), JSON.parse(readFileSync(originsFile, 'utf8')));
}

/** Writes the record, a text a line. */
export function writeOrigins(origins: Origins): void {
  writeFileSync(originsFile, `${JSON.stringify(origins, null, 2)}\n`);
}

/** @returns 6 hexadecimal digits */
function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

/** Names the texts whose English has changed since they were translated, with the languages that this concerns. */
export function findDrift(
  english: Texts,
  origins: Origins,
): ReadonlyMap<string, readonly string[]> {
  const behind = [...english].map(([name, text]): [string, readonly string[]] => {
    const [mark, ...languages] = (origins[name] ?? '').split(' ');
    if (mark !== markOf(text)) return [name, translatedLanguages];
    if (languages.length === 0) return [name, []];
    return [name, translatedLanguages.filter((language) => !languages.includes(language))];
  });
  return new Map(behind.filter(([, languages]) => languages.length > 0));
}

/** Returns the record once these translations are made from the English of now. Texts that are gone leave it. */
export function recordMade(
  english: Texts,
  origins: Origins,
  names: readonly string[],
  made: readonly string[],
): Origins {
  const drift = findDrift(english, origins);
  return Object.fromEntries(
    [...english].map(([name, text]) => {
      const old = origins[name] ?? '';
      const behind = drift.get(name);
      if (behind === undefined || !names.includes(name)) return [name, old];
      const done = translatedLanguages.filter(
        (language) => !behind.includes(language) || made.includes(language),
      );
      if (done.length === translatedLanguages.length) return [name, markOf(text)];
      return [name, done.length === 0 ? old : [markOf(text), ...done].join(' ')];
    }),
  );
}
