import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const link = /\s*<link rel="stylesheet"[^>]*? href="\/(assets\/[^"]+\.css)">/g;

/**
 * Joins the style sheets of each page of a built extension: the browser paints nothing before all have loaded, and each costs
 * a popup about ten milliseconds. The separate sheets stay for the chunks that load them.
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
