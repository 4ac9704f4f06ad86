import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser } from '@playwright/test';

import { root } from '#scripts/machine/processes';

const folder = join(root, 'pwa/public');

/** A simpler drawing for sizes up to 32 pixels: the perforation is not legible there. */
const small = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" fill="none">
  <path fill="#4a55c8" d="M2 14a6 6 0 0 1 6-6h48a6 6 0 0 1 6 6v10a8 8 0 0 0 0 16v10a6 6 0 0 1-6 6H8a6 6 0 0 1-6-6V40a8 8 0 0 0 0-16z"/>
  <path stroke="#fff" stroke-width="8" stroke-linecap="round" stroke-linejoin="round" d="m19 33 9.5 9.5L46 23.5"/>
</svg>`;

/** Draws every PNG icon from one SVG: the site's, as it is and maskable with the whole logo inside the safe circle, and the extension's. */
export async function drawIcons(browser: Browser): Promise<void> {
  const logo = await readFile(join(folder, 'icon.svg'), 'utf8');
  const page = await browser.newPage();
  const draw = async (
    path: string,
    size: number,
    svg: string,
    ground = 'transparent',
    inset = 0,
  ): Promise<void> => {
    await page.setViewportSize({ width: size, height: size });
    const side = `${String(100 - 2 * inset)}%`;
    await page.setContent(
      `<style>body{margin:0;background:${ground}}svg{position:fixed;inset:${String(inset)}%;width:${side};height:${side}}</style>${svg}`,
    );
    await page.screenshot({ path, omitBackground: true });
    console.log(path);
  };
  for (const size of [192, 512]) {
    await draw(join(folder, `icon-${String(size)}.png`), size, logo);
    await draw(join(folder, `icon-maskable-${String(size)}.png`), size, logo, '#f1f2fd', 20);
  }
  for (const size of [16, 32, 48, 96, 128])
    await draw(join(root, `public/icon/${String(size)}.png`), size, size > 32 ? logo : small);
  await page.close();
}
