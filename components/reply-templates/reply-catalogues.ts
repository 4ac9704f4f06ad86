import { type InjectionKey, type ShallowRef, inject, shallowRef, watchEffect } from 'vue';

import type { ReplyCatalogue } from '#core/replies/index';
import { latest } from '#stores/latest';

/** The languages that replies can be written in, each with a function that loads its texts. */
export type ReplyCatalogues = Readonly<Record<string, () => Promise<ReplyCatalogue>>>;

/** The replies of every language that has a file of them. */
const files = import.meta.glob<ReplyCatalogue>('../../locales/*/replies.json', {
  import: 'default',
});

const builtInCatalogues: ReplyCatalogues = Object.fromEntries(
  Object.entries(files).map(([path, load]) => [path.split('/').at(-2) ?? '', load]),
);

/** With this key a test provides its own languages. */
export const replyCataloguesKey: InjectionKey<ReplyCatalogues> = Symbol('reply catalogues');

export function useReplyCatalogues(): ReplyCatalogues {
  return inject(replyCataloguesKey, builtInCatalogues);
}

/**
 * Returns the language of a locale.
 * @example languageOf('en-GB') // 'en'
 */
export function languageOf(locale: string): string {
  return locale.split('-', 1)[0]?.toLowerCase() ?? '';
}

/** The texts loaded so far, which a further view then has at once. */
const known = new Map<() => Promise<ReplyCatalogue>, ReplyCatalogue>();

/** Loads the texts of a language, and again when the language changes; undefined until they are loaded. */
export function useReplyCatalogue(
  language: () => string,
): Readonly<ShallowRef<LoadedCatalogue | undefined>> {
  const catalogues = useReplyCatalogues();
  const loaded = shallowRef<LoadedCatalogue>();
  const loads = latest();
  watchEffect(() => {
    const wanted = language();
    const { isLatest } = loads.begin();
    const load = catalogues[wanted];
    if (load === undefined) return;
    const show = (catalogue: ReplyCatalogue): void => {
      known.set(load, catalogue);
      if (isLatest()) loaded.value = { language: wanted, catalogue };
    };
    const catalogue = known.get(load);
    if (catalogue === undefined) void load().then(show);
    else show(catalogue);
  });
  return loaded;
}

export interface LoadedCatalogue {
  readonly language: string;
  readonly catalogue: ReplyCatalogue;
}
