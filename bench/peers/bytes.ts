import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { Contest } from '#bench/peers/contest';
import { namedFiles } from '#scripts/build/module-sizes';
import { root } from '#scripts/machine/processes';
import { chromiumBuild } from '#scripts/running/extension';

/** The scripts and styles that the popup names, beside a page of Vue with one field. Both compressed. */
export const popupBytes: Contest = {
  work: 'bytes of the popup, compressed',
  unit: 'kB',
  goal: 'smaller than what does as much',
  prepare: () => {
    const bare = join(root, '.output/bare');
    const popup = namedFiles(chromiumBuild, 'popup.html').map((path) => join(chromiumBuild, path));
    const page = readdirSync(bare)
      .filter((name) => /^(?:vue|part-).*\.(?:js|html)$/.test(name))
      .map((name) => join(bare, name));
    return contestants(
      () => sumOf(popup, compressed),
      () => sumOf(page, compressed),
    );
  },
};

/** All files of the unpacked extension, beside one popup of Vue. */
export const packageBytes: Contest = {
  work: 'bytes of the extension, unpacked',
  unit: 'kB',
  goal: 'smaller than what does as much',
  prepare: () => {
    const all = (folder: string): string[] =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
    const vue = join(root, 'node_modules/vue/dist/vue.runtime.esm-browser.prod.js');
    return contestants(
      () => sumOf(all(chromiumBuild), (path) => statSync(path).size),
      () => statSync(vue).size,
    );
  },
};

function contestants(ours: () => number, bare: () => number): ReturnType<Contest['prepare']> {
  const kilobytes = (measure: () => number) => () => Promise.resolve(measure() / 1000);
  return Promise.resolve({
    ours: kilobytes(ours),
    peers: { 'Vue and one field': kilobytes(bare) },
    close: () => Promise.resolve(),
  });
}

function sumOf(paths: readonly string[], measure: (path: string) => number): number {
  return paths.reduce((sum, path) => sum + measure(path), 0);
}

function compressed(path: string): number {
  return gzipSync(readFileSync(path), { level: 9 }).length;
}
