import { join } from 'node:path';

import { chromium } from '@playwright/test';

import { createTestAuthority, installationState } from '#tests/support/license-files';
import { chooseFiles, pinKey } from '#tests/support/pages/verifier-page';
import { servePwa } from '#scripts/running/serve-pwa';
import { buildVerifierSite, verifierSite } from '#scripts/build/build';
import { obtainChromium } from '#scripts/machine/browsers';
import { root } from '#scripts/machine/processes';
import { runCommand } from '#scripts/command-line/refusal';

/** Takes the screenshots of the verifier for the site's manifest and for the documents. */
await runCommand(async () => {
  await buildVerifierSite(console.log);
  const { server, address } = await servePwa(verifierSite);
  const browser = await chromium.launch({
    executablePath: await obtainChromium(console.log),
    args: ['--no-sandbox'],
  });
  const authority = createTestAuthority();
  const pictures = [
    { path: 'pwa/public/screenshot-wide.png', width: 1280, height: 800, sharpness: 1 },
    { path: 'pwa/public/screenshot-narrow.png', width: 390, height: 844, sharpness: 2 },
    { path: 'docs/verifier-light.png', width: 1280, height: 1000, sharpness: 2 },
    { path: 'docs/verifier-dark.png', width: 1280, height: 1000, sharpness: 2 },
  ];
  for (const { path, width, height, sharpness } of pictures) {
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
    await page.locator('[data-standing]').waitFor();
    await page.mouse.move(0, 0);
    if (width < 500) {
      await page.locator('[data-standing]').evaluate((result) => {
        result.scrollIntoView({ block: 'start' });
      });
    }
    await page.screenshot({ path: join(root, path) });
    console.log(path);
    await context.close();
  }
  await browser.close();
  server.close();
  return 0;
});
