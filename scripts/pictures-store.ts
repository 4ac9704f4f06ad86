import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { chromium } from '@playwright/test';
import { object, parse, string } from 'valibot';

import { startSandbox } from '#sandbox/server';
import { obtainChromium } from '#scripts/machine/browsers';
import { buildExtension } from '#scripts/build/build';
import { grantHosts, launchExtension } from '#scripts/running/extension';
import { endAllOnSignals, root } from '#scripts/machine/processes';
import { runCommand } from '#scripts/command-line/refusal';
import { type Scenes, takeScenes } from '#scripts/store-pictures/scenes';
import { marquee, type Png, smallTile } from '#scripts/store-pictures/stages';

/** What each store asks for: the Chrome Web Store 1280×800 pixels, addons.mozilla.org 1.6:1 and 2400×1800 at most. */
const stores = {
  chrome: { size: { width: 1280, height: 800 }, sharpness: 1 },
  firefox: { size: { width: 1200, height: 750 }, sharpness: 2 },
} as const;

const folder = join(root, 'dist/store-pictures');
const messagesSchema = object({ description: object({ message: string() }) });

endAllOnSignals();

/** Takes the pictures of the stores' listings from the production build and the sandbox. */
await runCommand(async () => {
  const executablePath = await obtainChromium(console.log);
  await buildExtension(console.log);
  for (const colorScheme of ['light', 'dark'] as const) {
    const { purchase, license } = await pictureFor('firefox', colorScheme, executablePath);
    await pictureFor('chrome', colorScheme, executablePath);
    await drawTiles({ purchase, license }, colorScheme, executablePath);
  }
  return 0;
});

/** Writes the screenshots for one store. Each time from a sandbox of its own, so that none shows what another one did. */
async function pictureFor(
  store: keyof typeof stores,
  colorScheme: 'light' | 'dark',
  executablePath: string,
): Promise<Scenes> {
  const { size, sharpness } = stores[store];
  const sandbox = await startSandbox({ port: 0, db: ':memory:' });
  const profile = await mkdtemp(join(tmpdir(), 'counterfoil-store-'));
  await grantHosts(profile, ['http://127.0.0.1/*', 'http://localhost/*'], executablePath);
  const launched = { executablePath, headless: true, colorScheme, sharpness };
  const extension = await launchExtension(profile, launched);
  const scenes = await takeScenes(extension, sandbox, size, colorScheme === 'dark');
  for (const [name, png] of scenes.screenshots)
    await write(`${store}/${name}-${colorScheme}.png`, png);
  await extension.context.close();
  await sandbox.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  return scenes;
}

/** Writes the promotional tiles, which only the Chrome Web Store and Edge Add-ons have. */
async function drawTiles(
  cards: Pick<Scenes, 'purchase' | 'license'>,
  colorScheme: 'light' | 'dark',
  executablePath: string,
): Promise<void> {
  const logo = await readFile(join(root, 'pwa/public/icon.svg'), 'utf8');
  const messages = await readFile(join(root, 'public/_locales/en/messages.json'), 'utf8');
  const { description } = parse(messagesSchema, JSON.parse(messages));
  const dark = colorScheme === 'dark';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  for (const { name, width, height, html } of [
    { name: 'tile-small', width: 440, height: 280, html: smallTile(logo, dark) },
    {
      name: 'tile-marquee',
      width: 1400,
      height: 560,
      html: marquee(logo, description.message, cards, dark),
    },
  ]) {
    await page.setViewportSize({ width, height });
    await page.setContent(html, { waitUntil: 'load' });
    await write(`chrome/${name}-${colorScheme}.png`, await page.screenshot());
  }
  await browser.close();
}

async function write(name: string, png: Png): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, png);
  console.log(path);
}
