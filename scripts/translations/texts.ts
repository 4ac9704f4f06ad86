import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse, record, string } from 'valibot';

import type { ReplyCatalogue } from '#core/replies/index';
import { translatedLanguages } from '#core/text/index';
import { root } from '#scripts/machine/processes';

/**
 * Texts by their dotted names, which are unique across all files; a reply template's by its `id`:
 * `templates.grace.text`.
 */
export type Texts = ReadonlyMap<string, string>;

/** Lists the languages that have a folder and are not registered: they are shown to nobody. */
export function unregisteredLanguages(): readonly string[] {
  return readdirSync(join(root, 'locales'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'en')
    .map(({ name }) => name)
    .filter((name) => !translatedLanguages.some((tag) => tag === name));
}

/**
 * Reads all that a person reads in one language: the catalogues, the replies to customers, what the browser itself
 * draws, and the relay's pages (`joinPages.cancel`). Leaves out the files that the language lacks.
 */
export function readTexts(language: string): Texts {
  const folder = join(root, 'locales', language);
  return new Map(
    readdirSync(folder)
      .flatMap((name) => textsIn(JSON.parse(readFileSync(join(folder, name), 'utf8')) as object))
      .filter(([name]) => !/^templates\..*\.(?:id|situation)$|\.placeholders\./.test(name)),
  );
}

const repliesFile = (language: string): string => join(root, 'locales', language, 'replies.json');

/** Lists the languages that replies can be written in. */
export function replyLanguages(): readonly string[] {
  return ['en', ...translatedLanguages].filter((language) => existsSync(repliesFile(language)));
}

/** Reads the replies in a language; what it lacks is in English. */
export function readReplies(language: string): ReplyCatalogue {
  const read = (tag: string): ReplyCatalogue =>
    JSON.parse(readFileSync(repliesFile(tag), 'utf8')) as ReplyCatalogue;
  return wholeReplies(read('en'), read(language));
}

export function wholeReplies(
  english: ReplyCatalogue,
  own: Partial<ReplyCatalogue>,
): ReplyCatalogue {
  return {
    ...english,
    ...own,
    licenseTypes: { ...english.licenseTypes, ...own.licenseTypes },
    words: { ...english.words, ...own.words },
    templates: english.templates.map(
      (one) => own.templates?.find(({ id }) => id === one.id) ?? one,
    ),
  };
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

/** The texts of each language of the interface. */
export type Translations = ReadonlyMap<string, Texts>;

export function readTranslations(): Translations {
  return new Map(translatedLanguages.map((language) => [language, readTexts(language)]));
}

function isMadeFrom(text: string, record: string | undefined, language: string): boolean {
  const [mark, ...languages] = (record ?? '').split(' ');
  return mark === markOf(text) && (languages.length === 0 || languages.includes(language));
}

/** Reads the texts of a language that are made from the English of now. */
export function readUpToDate(language: string): Texts {
  const [english, origins] = [readTexts('en'), readOrigins()];
  return new Map(
    [...readTexts(language)].filter(([name]) =>
      isMadeFrom(english.get(name) ?? '', origins[name], language),
    ),
  );
}

/**
 * Names the texts that are to be translated, with the languages that this concerns: the language lacks the text, or has
 * it from other English than that of now.
 */
export function findUntranslated(
  english: Texts,
  origins: Origins,
  translations: Translations,
): ReadonlyMap<string, readonly string[]> {
  const behind = [...english].map(([name, text]): [string, readonly string[]] => [
    name,
    translatedLanguages.filter(
      (language) =>
        translations.get(language)?.has(name) !== true ||
        !isMadeFrom(text, origins[name], language),
    ),
  ]);
  return new Map(behind.filter(([, languages]) => languages.length > 0));
}

/**
 * Returns the record once these translations, as far as they are there, are made from the English of now. Texts that
 * are gone leave it.
 */
export function recordMade(
  english: Texts,
  origins: Origins,
  translations: Translations,
  names: readonly string[],
  made: readonly string[],
): Origins {
  return Object.fromEntries(
    [...english].flatMap(([name, text]) => {
      const old = origins[name];
      const isMade = (language: string): boolean =>
        names.includes(name) &&
        made.includes(language) &&
        translations.get(language)?.has(name) === true;
      if (!translatedLanguages.some(isMade)) return old === undefined ? [] : [[name, old]];
      const done = translatedLanguages.filter(
        (language) => isMade(language) || isMadeFrom(text, old, language),
      );
      const isOfAll = done.length === translatedLanguages.length;
      return [[name, [markOf(text), ...(isOfAll ? [] : done)].join(' ')]];
    }),
  );
}
