import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

import { decode } from '@jridgewell/sourcemap-codec';
import { number, parse, record, string } from 'valibot';
import type { Plugin } from 'vite';

import { root } from '#scripts/machine/processes';

/** The size of each module in each script of a build, in minified bytes, by the script's path in it. */
export type ModuleSizes = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Names the file that holds a build's module sizes. It lies beside the build, so that it is never packed. */
export function moduleSizesFile(build: string): string {
  return `${build}.modules.json`;
}

/**
 * Measures what each module takes in each script, from the source maps, which are not written.
 * `write` writes the sizes of everything that is built in one run beside the build.
 */
export function measureModules(): { plugin: Plugin; write: (build: string) => void } {
  const scripts: Record<string, Record<string, number>> = {};
  const plugin: Plugin = {
    name: 'module-sizes',
    apply: 'build',
    config: () => ({ build: { sourcemap: 'hidden' } }),
    generateBundle: {
      order: 'post',
      handler({ dir = '' }, bundle) {
        for (const [name, output] of Object.entries(bundle)) {
          if (output.type === 'asset') {
            if (name.endsWith('.js.map')) Reflect.deleteProperty(bundle, name);
          } else if (output.map !== null) {
            const folder = dirname(join(dir, name));
            const sources = output.map.sources.map((source) => moduleName(join(folder, source)));
            scripts[name] = sizesIn(output.code, output.map.mappings, sources);
          }
        }
      },
    },
  };
  return {
    plugin,
    write(build) {
      writeFileSync(moduleSizesFile(build), JSON.stringify(scripts, undefined, 1));
    },
  };
}

/** Counts the characters of each source in a script. What no source gave, such as imports, counts as ours. */
function sizesIn(
  code: string,
  mappings: string,
  sources: readonly string[],
): Record<string, number> {
  const sizes: Record<string, number> = {};
  const lines = code.split('\n');
  for (const [row, segments] of decode(mappings).entries()) {
    const length = (lines[row] ?? '').length;
    for (const [index, [column, source]] of segments.entries()) {
      const end = segments[index + 1]?.[0] ?? length;
      const name = source === undefined ? '' : (sources[source] ?? '');
      sizes[name] = (sizes[name] ?? 0) + end - column;
    }
  }
  return sizes;
}

/** Returns a module's path in the project: `core/result.ts`, `node_modules/vue/…`, `~icons/lucide/x`. */
function moduleName(path: string): string {
  const name = relative(root, path).replace(/^(?:\.\.\/)+/, '');
  return name.replace(/\?.*$/, '').replace(/^.*(?=~icons\/)/, '');
}

/** A script or style sheet that a page's HTML names, with what each of its modules takes. */
export interface PageFile {
  readonly path: string;
  /** Bytes, gzipped. */
  readonly gzipped: number;
  /** Bytes of each module, minified; empty for a style sheet. */
  readonly modules: Readonly<Record<string, number>>;
}

/** Reads what a page of a build fetches before it can be used: all that its HTML names. */
export function pageFiles(build: string, page: string): PageFile[] {
  const sizes = readModuleSizes(build);
  return namedFiles(build, page).map((path) => ({
    path,
    gzipped: gzipSync(readFileSync(join(build, path)), { level: 9 }).length,
    modules: sizes[path] ?? {},
  }));
}

/** Lists the scripts and style sheets that a page's HTML names, by their paths in the build. */
export function namedFiles(build: string, page: string): string[] {
  const html = readFileSync(join(build, page), 'utf8');
  return [...html.matchAll(/(?:src|href)="\.?\/?([^"]+\.(?:js|css))"/g)].flatMap(
    ([, path]) => path ?? [],
  );
}

/** Returns the library a module belongs to; undefined for one of the project's own. */
export function libraryOf(module: string): string | undefined {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1];
}

function readModuleSizes(build: string): ModuleSizes {
  const stored: unknown = JSON.parse(readFileSync(moduleSizesFile(build), 'utf8'));
  return parse(record(string(), record(string(), number())), stored);
}
