import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'vite';

import { root } from '#scripts/machine/processes';

/** Names the file in each build that holds the licenses of what is bundled. */
export const licenseFile = 'third-party.txt';

interface Installed {
  readonly version: string;
  readonly license: string;
}

/**
 * Packages that are published without their license: who holds the rights, and a file with the same license's words.
 */
const withoutFile: Readonly<Record<string, { holder: string; words: string }>> = {
  wxt: { holder: 'Copyright (c) 2023 Aaron', words: 'LICENSE' },
  '@wxt-dev/browser': { holder: 'Copyright (c) 2023 Aaron', words: 'LICENSE' },
  '@iconify-json/lucide': {
    holder: `Copyright (c) 2020, Lucide Contributors
Parts come from Feather, Copyright (c) 2013-present Cole Bemis, under the MIT License, whose words stand in this file too.`,
    words: 'node_modules/idb/LICENSE',
  },
};

/** Writes the name, version and license of each package into a build, for whoever receives the build. */
export function writeLicenses(build: string, packages: readonly string[]): void {
  writeFileSync(join(build, licenseFile), licensesOf(packages));
}

export function licensedIn(build: string): string[] {
  const text = readFileSync(join(build, licenseFile), 'utf8');
  return [...text.matchAll(/^-{80}\n\n(\S+) \S+ \(/gm)].map(([, name = '']) => name);
}

/** Returns the text of the license file. Throws where a package has no license to quote. */
export function licensesOf(packages: readonly string[]): string {
  const head = 'Counterfoil holds code of these packages. Their licenses follow.';
  const sections = packages.map((name) => {
    const { version, license } = installed(name);
    return `${name} ${version} (${license})\n\n${licenseText(name)}`;
  });
  return `${[head, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function installed(name: string): Installed {
  return JSON.parse(readFileSync(join(packageFolder(name), 'package.json'), 'utf8')) as Installed;
}

function packageFolder(name: string): string {
  return join(root, 'node_modules', name);
}

/**
 * Gives the words of a license to each package of a Markdown list, as Vite writes it, that stands there without them.
 */
export function withLicenseTexts(list: string): string {
  return list
    .split(/^(?=## )/m)
    .map((section) => {
      const [, name] = /^## (\S+) - .*\s*$/.exec(section) ?? [];
      return name === undefined ? section : `${section.trimEnd()}\n\n${licenseText(name)}\n\n`;
    })
    .join('');
}

function licenseInReadme(name: string): string | undefined {
  const text = readFileSync(join(packageFolder(name), 'README.md'), 'utf8');
  return /^#+ *licen[cs]e\s+([^]*Permission is hereby granted[^#]*)/im.exec(text)?.[1]?.trim();
}

function licenseText(name: string): string {
  const file = readdirSync(packageFolder(name)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file !== undefined) {
    const text = readFileSync(join(packageFolder(name), file), 'utf8');
    // Vite's file goes on with what Vite itself is bundled from.
    return text.replace(/\n# Licenses of bundled dependencies[^]*/, '').trim();
  }
  const known = withoutFile[name];
  const stated = known === undefined ? licenseInReadme(name) : undefined;
  if (stated !== undefined) return stated;
  if (known === undefined) throw new Error(`${name} is bundled and its license is not known.`);
  return `${known.holder}\n\n${wordsOf(known.words)}`;
}

/** Returns a license without its title and its holder. */
function wordsOf(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  return text.slice(text.search(/^Permission/m)).trim();
}

/** Modules that a bundler writes itself, and the package whose code they are. */
const written: readonly (readonly [module: RegExp, name: string])[] = [
  [/~icons\/lucide\//, '@iconify-json/lucide'],
  [/plugin-vue:export-helper/, '@vitejs/plugin-vue'],
  [/^\0?vite\/|^\0vite:?preload/, 'vite'],
  [/rolldown[/:]runtime/, 'rolldown'],
];

/** Returns the package that a bundled module belongs to; undefined for the project's own. */
export function packageOf(module: string): string | undefined {
  const installed = /^.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/s.exec(module)?.[1];
  return installed?.replace('\\', '/') ?? written.find(([pattern]) => pattern.test(module))?.[1];
}

/**
 * Collects the packages that have code in what one run builds. Each build of the run, workers among them, needs a
 * plugin of its own.
 */
export function collectPackages(): { plugin: () => Plugin; names: () => readonly string[] } {
  const found = new Set<string>();
  const plugin = (): Plugin => ({
    name: 'bundled-packages',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'asset') continue;
        for (const module of output.moduleIds) {
          const name = packageOf(module);
          if (name !== undefined) found.add(name);
        }
      }
    },
  });
  return { plugin, names: () => [...found].toSorted() };
}
