import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { popupPageOf, popupThemes } from '#core/settings/popup-page';

/**
 * Writes the popup's pages, one for each theme, with the style sheet in the page: it is painted without waiting for any other
 * file. The manifest's policy admits this one sheet by its hash.
 */
export function writePopupPages(build: string): void {
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

function admitStyle(manifest: string, css: string): void {
  const hash = createHash('sha256').update(css).digest('base64');
  const text = readFileSync(manifest, 'utf8');
  const admitted = text.replace("style-src 'self'", `style-src 'self' 'sha256-${hash}'`);
  if (admitted === text) throw new Error('The policy names no style source.');
  writeFileSync(manifest, admitted);
}
