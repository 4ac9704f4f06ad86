import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Plugin } from 'vite';

import { type Catalogue, keysOf, textsOf } from '#core/text/index';
import { readReplies } from '#scripts/translations/texts';

const folder = fileURLToPath(new URL('../../locales/', import.meta.url));
const reader = fileURLToPath(new URL('../../core/text/translation.ts', import.meta.url));
/** The modules' names: chunks are named after them, and what ended in `.json` would be read by other plugins. */
const translation = { prefix: '\0translations/', ending: '.texts' };
const keys = { prefix: '\0catalogues/keys.', ending: '.list' };
/** Their English stands in for what a language lacks, since a view loads one language alone. */
const repliesFile = /\/locales\/(?<language>[\w-]+)\/replies\.json$/;
/** The files of the interface, such as `de/base.json` and `pt-BR/verifier.json`. */
const catalogueFile = /^(?<language>[a-z]{2}(?:-[A-Z]{2})?)\/(?<page>(?!replies\b)\w+)\.json$/;

/**
 * Bundles each translation as its texts alone, in the order of the English file. Their keys, the same in every
 * language, stand once beside them.
 */
export function compactCatalogues(): Plugin {
  return {
    name: 'compact-catalogues',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (source.startsWith(keys.prefix)) return source;
      if (!source.endsWith('.json')) return undefined;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      if (!resolved?.id.startsWith(folder)) return undefined;
      const { language, page } = catalogueFile.exec(resolved.id.slice(folder.length))?.groups ?? {};
      if (language === undefined || page === undefined) return undefined;
      return language === 'en' ? undefined : moduleOf(translation, `${language}.${page}`);
    },
    load(id) {
      const listed = nameOf(keys, id);
      if (listed !== undefined) return `export default ${JSON.stringify(keysOf(read(listed)))};`;
      const { language } = repliesFile.exec(id)?.groups ?? {};
      if (language !== undefined) return JSON.stringify(readReplies(language));
      const name = nameOf(translation, id);
      if (name === undefined) return undefined;
      const original = name.replace(/^[^.]+/, 'en');
      this.addWatchFile(fileOf(name));
      return [
        `import { translationOf } from ${JSON.stringify(reader)};`,
        `import keys from ${JSON.stringify(moduleOf(keys, original))};`,
        `export default translationOf(keys, ${JSON.stringify(textsOf(read(original), read(name)))});`,
      ].join('\n');
    },
  };
}

/** Texts that a page always loads together; for the check these are `common` of `entrypoints/page/translations.ts`. */
const together = {
  check: 'base|answer|ticket|shortcuts|undo|reply|items',
  options: 'options|first|team',
  verifier: 'verifier|policy|authority',
};

/** Names the replies of each language after it: their files have one name. */
const replyScripts = {
  name: (id: string): string | null => repliesFile.exec(id)?.groups?.['language'] ?? null,
};

/**
 * Puts what is loaded together of a language into one script, and its keys into another: each script costs a page
 * milliseconds.
 */
const pageScripts = Object.entries(together).flatMap(([name, pages]) => {
  const ofKeys = new RegExp(`^${keys.prefix}en\\.(?:${pages})\\.list$`);
  const ofTexts = new RegExp(`^${translation.prefix}([\\w-]+)\\.(?:${pages})\\.texts$`);
  return [
    {
      name: `keys.${name}`,
      test: (id: string): boolean => ofKeys.test(id) || (name === 'check' && id === reader),
    },
    {
      name: (id: string): string | null => {
        const language = ofTexts.exec(id)?.[1];
        return language === undefined ? null : `${language}.${name}`;
      },
    },
  ];
});

export const catalogueScripts = [replyScripts, ...pageScripts];

interface Naming {
  readonly prefix: string;
  readonly ending: string;
}

function moduleOf({ prefix, ending }: Naming, name: string): string {
  return prefix + name + ending;
}

function nameOf({ prefix, ending }: Naming, id: string): string | undefined {
  return id.startsWith(prefix) ? id.slice(prefix.length, -ending.length) : undefined;
}

function fileOf(name: string): string {
  return `${folder}${name.replace('.', '/')}.json`;
}

function read(name: string): Catalogue {
  return JSON.parse(readFileSync(fileOf(name), 'utf8')) as Catalogue;
}
