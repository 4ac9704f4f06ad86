import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { chromium } from '@playwright/test';

import { obtainChromium } from '#scripts/browsers';
import { root } from '#scripts/processes';

/** Draws the site's PNG icons from the one SVG: as it is, and on a full tile whose safe circle holds the whole mark. */
const folder = join(root, 'pwa/public');
const mark = await readFile(join(folder, 'icon.svg'), 'utf8');
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
      `<style>body{margin:0;background:${ground}}svg{position:fixed;inset:${String(inset)}%;width:${String(100 - 2 * inset)}%;height:${String(100 - 2 * inset)}%}</style>${mark}`,
    );
    const path = join(folder, `${name}-${String(size)}.png`);
    await page.screenshot({ path, omitBackground: true });
    console.log(path);
  }
}
await browser.close();
