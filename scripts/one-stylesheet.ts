import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const link = /\s*<link rel="stylesheet"[^>]*? href="\/(assets\/[^"]+\.css)">/g;

/**
 * Gives every page of a built extension one style sheet in place of one for each chunk: nothing is painted before the last of
 * them is there, and each costs a popup some ten milliseconds. The sheets stay for the chunks that name them.
 */
export function joinStylesheets(build: string): void {
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
