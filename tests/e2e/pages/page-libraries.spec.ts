import { expect, test } from '@playwright/test';

import { popupPageOf, popupThemes } from '#core/preferences/index';
import { chromiumBuild } from '#scripts/running/extension';
import { libraryOf, pageFiles } from '#scripts/build/module-sizes';

/** What every page needs before it can be used: views, their stores, their texts, the browser's API. */
const everyPage = [
  '@vue/reactivity',
  '@vue/runtime-core',
  '@vue/runtime-dom',
  '@vue/shared',
  '@wxt-dev/browser',
  'pinia',
  'wxt',
];

/** IndexedDB. */
const records = ['idb', 'idb-keyval'];

/**
 * The libraries that each page's HTML may name, however deep. Whatever else a page uses is loaded with the view that
 * needs it.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(popupThemes.map((theme) => [popupPageOf(theme), everyPage])),
  // Valibot reads what was stored.
  'sidepanel.html': [...everyPage, ...records, 'valibot'],
  'options.html': [...everyPage, ...records, 'valibot'],
  'desk.html': [...everyPage, ...records, 'valibot'],
  // Customers' files are read in the verify workers alone, by libraries of their own.
  'verifier.html': [...everyPage, ...records],
};

/** The most that is left, in minified bytes, of a library whose larger part is for developers or compilers. */
const most: Readonly<Record<string, number>> = {
  // Without its devtools.
  pinia: 4000,
};

for (const [page, libraries] of Object.entries(allowed)) {
  test(`${page} loads no library that it does not need`, () => {
    const found = new Map<string, number>();
    const modules = pageFiles(chromiumBuild, page).flatMap((file) => Object.entries(file.modules));
    expect(modules.length).toBeGreaterThan(10);
    for (const [module, bytes] of modules) {
      const library = libraryOf(module);
      if (library !== undefined) found.set(library, (found.get(library) ?? 0) + bytes);
    }
    const unneeded = [...found.keys()].filter((library) => !libraries.includes(library));
    expect(unneeded).toEqual([]);
    for (const [library, bytes] of Object.entries(most)) {
      expect(found.get(library), library).toBeLessThanOrEqual(bytes);
    }
  });
}
