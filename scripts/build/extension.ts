import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { popupPageOf, popupThemes } from '#core/preferences/index';
import { translatedLanguages } from '#core/text/index';
import { root } from '#scripts/machine/processes';

/** Names the file that the Chromium manifest refers to. Firefox takes a policy without one. */
export const managedSchema = 'managed-schema.json';

/** Does to a build of the extension what neither WXT nor Vite does. */
export function finishExtension(build: string, browser: string): void {
  joinStylesheets(build);
  writePopupPages(build);
  removeUnusedStylesheets(build);
  if (browser !== 'firefox') writeManagedSchema(build);
}

/**
 * Writes the form of a policy: one text, since Chromium hands out nothing of a value that it finds wrong, and says
 * nothing of it.
 */
function writeManagedSchema(build: string): void {
  const schema = {
    type: 'object',
    properties: {
      settings: {
        type: 'string',
        title: 'Settings of Counterfoil',
        description: 'The JSON text of a settings file. It must hold no API key.',
      },
    },
  };
  writeFileSync(join(build, managedSchema), `${JSON.stringify(schema, undefined, 2)}\n`);
}

const link = /\s*<link rel="stylesheet"[^>]*? href="\/(assets\/[^"]+\.css)">/g;

/**
 * Joins the style sheets of each page of a built extension: the browser paints nothing before all have loaded, and each
 * costs a popup about ten milliseconds.
 */
function joinStylesheets(build: string): void {
  for (const page of readdirSync(build).filter((name) => name.endsWith('.html'))) {
    const path = join(build, page);
    const html = readFileSync(path, 'utf8');
    const sheets = [...html.matchAll(link)].flatMap(([, sheet]) => sheet ?? []);
    if (sheets.length < 2) continue;
    const joined = `assets/${page.replace(/\.html$/, '')}.css`;
    writeFileSync(
      join(build, joined),
      sheets.map((sheet) => readFileSync(join(build, sheet), 'utf8')).join(''),
    );
    const bare = html.replace(link, '');
    // Ahead of the scripts, which would otherwise be fetched first.
    const at = Math.max(0, bare.search(/\s*<script/));
    const sheet = `\n    <link rel="stylesheet" href="/${joined}">`;
    writeFileSync(path, bare.slice(0, at) + sheet + bare.slice(at));
  }
}

/**
 * Writes the popup's pages, one for each theme, with the style sheet in the page: it is painted without waiting for any
 * other file. The manifest's policy admits this one sheet by its hash.
 */
function writePopupPages(build: string): void {
  const html = readFileSync(join(build, popupPageOf('system')), 'utf8');
  const [link, sheet] =
    /<link rel="stylesheet"[^>]*? href="\/(assets\/[^"]+\.css)">/.exec(html) ?? [];
  if (link === undefined || sheet === undefined) throw new Error('The popup names no style sheet.');
  const css = readFileSync(join(build, sheet), 'utf8');
  const page = html.replaceAll(/>\s+</g, '><').replace(link, () => `<style>${css}</style>`);
  for (const theme of popupThemes) {
    const themed = theme === 'system' ? page : page.replace('<html', `<html data-theme="${theme}"`);
    writeFileSync(join(build, popupPageOf(theme)), themed);
  }
  admitStyle(join(build, 'manifest.json'), css);
}

/** Returns the files of the browser's own texts. It takes from English what a language lacks. */
export function browserTexts(): readonly { relativeDest: string; contents: string }[] {
  return ['en', ...translatedLanguages].flatMap((tag) => {
    const file = join(root, 'locales', tag, 'browser.json');
    if (!existsSync(file)) return [];
    const relativeDest = `_locales/${tag.replace('-', '_')}/messages.json`;
    return [{ relativeDest, contents: JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))) }];
  });
}

/** Removes the style sheets that no page and no chunk names any more. */
function removeUnusedStylesheets(build: string): void {
  const names = readdirSync(build, { recursive: true, encoding: 'utf8' });
  const readers = names.filter((name) => /\.(?:html|js)$/.test(name));
  const texts = readers.map((name) => readFileSync(join(build, name), 'utf8'));
  for (const sheet of names.filter((name) => name.endsWith('.css')))
    if (!texts.some((text) => text.includes(sheet))) rmSync(join(build, sheet));
}

function admitStyle(manifest: string, css: string): void {
  const hash = createHash('sha256').update(css).digest('base64');
  const text = readFileSync(manifest, 'utf8');
  const admitted = text.replace("style-src 'self'", `style-src 'self' 'sha256-${hash}'`);
  if (admitted === text) throw new Error('The policy names no style source.');
  writeFileSync(manifest, admitted);
}

/** The folders and files that an extension is built from. */
export const extensionSources = [
  'adapters',
  'background',
  'components',
  'core',
  'entrypoints',
  'locales',
  'messaging',
  'public',
  'stores',
  'package-lock.json',
  'wxt.config.ts',
];

/** Returns 12 hexadecimal digits that are the same for the same sources, wherever they lie. */
export function sourceBuildId(): string {
  const hash = createHash('sha256');
  const files = extensionSources.flatMap((source) => filesOf(join(root, source)));
  for (const file of files.sort())
    hash.update(file.slice(root.length).replaceAll('\\', '/')).update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/**
 * The oldest browsers that may install the extension, as `docs/browsers.md` explains them. Manifests, style
 * sheets and tests take them from here.
 */
export const leastBrowsers = { chromium: 137, firefox: 142 } as const;
