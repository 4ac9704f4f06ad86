import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { type Browser, chromium, type Page } from '@playwright/test';
import { object, parse, string } from 'valibot';

import { translatedLanguages } from '#core/text/index';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type Sandbox, startSandbox } from '#sandbox/server';
import { buildExtension, buildVerifierSite, verifierSite } from '#scripts/build/build';
import { refuseUnknown, runCommand } from '#scripts/command-line/refusal';
import { obtainChromium } from '#scripts/machine/system-packages';
import { endAllOnSignals, root } from '#scripts/machine/processes';
import { marquee, type Scenes, smallTile, takeScenes } from '#scripts/pictures/scenes';
import { addConnection, checkCode } from '#scripts/running/agent';
import { type Extension, grantHosts, launchExtension, openPage } from '#scripts/running/extension';
import { servePwa } from '#scripts/running/serve-pwa';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import { chooseFiles, pinKey } from '#tests/support/pages/verifier-page';

/** The groups of pictures and their folders; without a name, all but the languages are taken. */
const groups = {
  /** `pwa/public` and `public/icon`. */
  icons: drawIcons,
  /** `docs` and, for the site's manifest, `pwa/public`. */
  documents: async (browser: Browser): Promise<void> => {
    await takeVerifier(browser);
    for (const colorScheme of ['light', 'dark'] as const) await takeExtension(colorScheme);
  },
  /** `dist/store-pictures`. */
  store: async (browser: Browser): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const scenes = await takeListing('firefox', colorScheme);
      await takeListing('chrome', colorScheme);
      await drawTiles(browser, scenes, colorScheme);
    }
  },
  /** `reports/pictures`: the pages in each language at their narrowest, for whoever reads a translation. */
  languages: takeLanguages,
};

type Scheme = 'light' | 'dark';

const site = join(root, 'pwa/public');

/** A simpler drawing for sizes up to 32 pixels: the perforation is not legible there. */
const small = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" fill="none">
  <path fill="#4a55c8" d="M2 14a6 6 0 0 1 6-6h48a6 6 0 0 1 6 6v10a8 8 0 0 0 0 16v10a6 6 0 0 1-6 6H8a6 6 0 0 1-6-6V40a8 8 0 0 0 0-16z"/>
  <path stroke="#fff" stroke-width="8" stroke-linecap="round" stroke-linejoin="round" d="m19 33 9.5 9.5L46 23.5"/>
</svg>`;

/**
 * The stores' formats: the Chrome Web Store asks for 1280×800 pixels, addons.mozilla.org for 1.6:1 and 2400×1800 at
 * most.
 */
const stores = {
  chrome: { size: { width: 1280, height: 800 }, sharpness: 1 },
  firefox: { size: { width: 1200, height: 750 }, sharpness: 2 },
} as const;

const messagesSchema = object({ description: object({ message: string() }) });

endAllOnSignals();
const executablePath = await obtainChromium(console.log);
const { values, positionals } = parseArgs({
  options: { language: { type: 'string', multiple: true, default: [...translatedLanguages] } },
  allowPositionals: true,
});

/** Takes every picture of the product from the production build and the sandbox. */
await runCommand(async () => {
  refuseUnknown(positionals, Object.keys(groups));
  refuseUnknown(values.language, translatedLanguages);
  await buildExtension(console.log);
  await buildVerifierSite(console.log);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const all = ['icons', 'documents', 'store'];
  for (const [name, take] of Object.entries(groups))
    if ((positionals.length === 0 ? all : positionals).includes(name)) await take(browser);
  await browser.close();
  return 0;
});

/**
 * Opens the extension on a profile of its own beside a sandbox of its own, so that no picture shows what another one
 * did.
 */
async function withExtension<T>(
  look: { readonly colorScheme?: Scheme; readonly sharpness?: number },
  work: (extension: Extension, sandbox: Sandbox) => Promise<T>,
): Promise<T> {
  const sandbox = await startSandbox({ port: 0, db: ':memory:' });
  const profile = await mkdtemp(join(tmpdir(), 'counterfoil-pictures-'));
  await grantHosts(profile, ['http://127.0.0.1/*', 'http://localhost/*']);
  const extension = await launchExtension(profile, { executablePath, headless: true, ...look });
  try {
    return await work(extension, sandbox);
  } finally {
    await extension.context.close();
    await sandbox.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function demoOf(sandbox: Sandbox): Parameters<typeof addConnection>[1] {
  return {
    name: 'Fenwick Studio',
    baseAddress: `${sandbox.origin}/demo`,
    apiKey: sandbox.keys['/demo'],
  };
}

async function takeExtension(colorScheme: Scheme): Promise<void> {
  await withExtension({ colorScheme, sharpness: 2 }, async (extension, sandbox) => {
    const options = await openPage(extension, 'options.html');
    await options.setViewportSize({ width: 1000, height: 760 });
    await addConnection(options, demoOf(sandbox));
    await options.getByRole('button', { name: 'Test connection' }).click();
    await options.getByText('fenwick-studio').first().waitFor();
    await save(options, `docs/options-${colorScheme}.png`);

    const popup = await openPage(extension, 'popup.html');
    await popup.setViewportSize({ width: 384, height: 200 });
    await checkCode(popup, sampleCodes('/demo').supported);
    await save(popup, `docs/popup-${colorScheme}.png`, true);
  });
}

async function takeVerifier(browser: Browser): Promise<void> {
  const { server, address } = await servePwa(verifierSite);
  const authority = createTestAuthority();
  for (const { path, width, height, sharpness } of [
    { path: 'pwa/public/screenshot-wide.png', width: 1280, height: 800, sharpness: 1 },
    { path: 'pwa/public/screenshot-narrow.png', width: 390, height: 844, sharpness: 2 },
    { path: 'docs/verifier-light.png', width: 1280, height: 1000, sharpness: 2 },
    { path: 'docs/verifier-dark.png', width: 1280, height: 1000, sharpness: 2 },
  ]) {
    const context = await browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: sharpness,
      colorScheme: path.includes('dark') ? 'dark' : 'light',
      locale: 'en-GB',
      // Keeps the first visit's banner out of the picture.
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    await page.goto(address);
    await pinKey(page, authority.publicKey);
    await chooseFiles(page, ['installation-state.json', installationState(authority)]);
    const result = page.locator('[data-standing]');
    await result.waitFor();
    if (width < 500) {
      await result.evaluate((element) => {
        element.scrollIntoView({ block: 'start' });
      });
    }
    await save(page, path);
    await context.close();
  }
  server.close();
}

async function takeListing(store: keyof typeof stores, colorScheme: Scheme): Promise<Scenes> {
  const { size, sharpness } = stores[store];
  const scenes = await withExtension({ colorScheme, sharpness }, (extension, sandbox) =>
    takeScenes(extension, sandbox, size, colorScheme === 'dark'),
  );
  for (const [name, png] of scenes.screenshots)
    await write(`dist/store-pictures/${store}/${name}-${colorScheme}.png`, png);
  return scenes;
}

/** Draws the promotional tiles, which only the Chrome Web Store and Edge Add-ons have. */
async function drawTiles(browser: Browser, cards: Scenes, colorScheme: Scheme): Promise<void> {
  const logo = await readFile(join(root, 'pwa/public/icon.svg'), 'utf8');
  const messages = await readFile(join(root, 'locales/en/browser.json'), 'utf8');
  const { description } = parse(messagesSchema, JSON.parse(messages));
  const dark = colorScheme === 'dark';
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
    await write(`dist/store-pictures/chrome/${name}-${colorScheme}.png`, await page.screenshot());
  }
  await page.close();
}

async function takeLanguages(): Promise<void> {
  const authority = createTestAuthority();
  const { supported, lapsed, unknown } = sampleCodes('/demo');
  for (const language of values.language) {
    await withExtension({}, async (extension, sandbox) => {
      const take = async (page: Page, name: string): Promise<void> => {
        await page.waitForTimeout(300);
        await save(page, `reports/pictures/${language}-${name}.png`, true);
      };
      const open = async (path: string, width: number): Promise<Page> => {
        const page = await openPage(extension, path);
        await page.setViewportSize({ width, height: 700 });
        return page;
      };
      const check = async (page: Page, code: string): Promise<void> => {
        await page.getByRole('textbox').first().fill(code);
        await page.getByRole('textbox').first().press('Enter');
        await page.locator('[data-verdict]:not([aria-busy])').first().waitFor();
      };
      const options = await open('options.html', 760);
      await addConnection(options, demoOf(sandbox));
      const english = await open('verifier.html', 900);
      await pinKey(english, authority.publicKey);
      await options.getByLabel('Language', { exact: true }).selectOption(language);
      await options.locator(`html[lang="${language}"]`).waitFor();
      await take(options, 'options');

      const popup = await open('popup.html', 384);
      await check(popup, supported);
      await take(popup, 'popup');
      const panel = await open('sidepanel.html', 320);
      await check(panel, unknown);
      await take(panel, 'panel-not-found');
      await check(panel, lapsed);
      await panel.locator('.reply-bar [aria-expanded]').first().click();
      await take(panel, 'panel');
      for (const view of ['bulk', 'history', 'reply'])
        await take(await open(`desk.html#${view}`, 700), `desk-${view}`);
      const verifier = await open('verifier.html', 900);
      await chooseFiles(verifier, ['state.json', installationState(authority)]);
      await verifier.locator('[data-standing]').waitFor();
      await verifier.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      await take(verifier, 'verifier');
    });
  }
}

async function save(page: Page, name: string, fullPage = false): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  await write(name, await page.screenshot({ fullPage }));
}

async function write(name: string, png: Uint8Array): Promise<void> {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, png);
  console.log(path);
}

/**
 * Draws every PNG icon from one SVG: the site's, as it is and maskable with the whole logo inside the safe circle, and
 * the extension's.
 */
async function drawIcons(browser: Browser): Promise<void> {
  const logo = await readFile(join(site, 'icon.svg'), 'utf8');
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
    await draw(join(site, `icon-${String(size)}.png`), size, logo);
    await draw(join(site, `icon-maskable-${String(size)}.png`), size, logo, '#f1f2fd', 20);
  }
  // The package holds them rewritten without PNG filters, which takes a third less.
  for (const size of [16, 32, 48, 128])
    await draw(join(root, `public/icon/${String(size)}.png`), size, size > 32 ? logo : small);
  await page.close();
}
