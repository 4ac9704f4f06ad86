import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { chromium } from '@playwright/test';

import { obtainChromium } from '#scripts/machine/browsers';
import { root } from '#scripts/machine/processes';

/**
 * Draws every PNG icon from one SVG. The site's: as it is, and maskable with the whole logo inside the safe circle. The
 * extension's: sizes up to 32 pixels use a simpler drawing, since the perforation is not legible there.
 */
const folder = join(root, 'pwa/public');
const logo = await readFile(join(folder, 'icon.svg'), 'utf8');
const browser = await chromium.launch({
  executablePath: await obtainChromium(console.log),
  args: ['--no-sandbox'],
});
const page = await browser.newPage();
for (const size of [192, 512]) {
  await page.setViewportSize({ width: size, height: size });
  for (const { name, inset, ground } of [
    { name: 'icon', inset: 0, ground: 'transparent' },
    { name: 'icon-maskable', inset: 20, ground: '#f1f2fd' },
  ]) {
    await page.setContent(
      `<style>body{margin:0;background:${ground}}svg{position:fixed;inset:${String(inset)}%;width:${String(100 - 2 * inset)}%;height:${String(100 - 2 * inset)}%}</style>${logo}`,
    );
    const path = join(folder, `${name}-${String(size)}.png`);
    await page.screenshot({ path, omitBackground: true });
    console.log(path);
  }
}

const small = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" fill="none">
  <path fill="#4a55c8" d="M2 14a6 6 0 0 1 6-6h48a6 6 0 0 1 6 6v10a8 8 0 0 0 0 16v10a6 6 0 0 1-6 6H8a6 6 0 0 1-6-6V40a8 8 0 0 0 0-16z"/>
  <path stroke="#fff" stroke-width="8" stroke-linecap="round" stroke-linejoin="round" d="m19 33 9.5 9.5L46 23.5"/>
</svg>`;
for (const size of [16, 32, 48, 96, 128]) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0;background:transparent}svg{position:fixed;inset:0;width:100%;height:100%}</style>${size > 32 ? logo : small}`,
  );
  const path = join(root, 'public/icon', `${String(size)}.png`);
  await page.screenshot({ path, omitBackground: true });
  console.log(path);
}
await browser.close();
