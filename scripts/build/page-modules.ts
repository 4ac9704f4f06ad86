import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { number, parse, record, string } from 'valibot';

import { type ModuleSizes, moduleSizesFile } from '#scripts/build/module-sizes';

/** Describes a script or style sheet that a page's HTML names, with what each of its modules takes. */
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
