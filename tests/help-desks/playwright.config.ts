import { defineConfig } from '@playwright/test';

import e2e from '../../playwright.config';

/** Configures `npm run e2e:help-desks`: the extension on real help desks, which take long to set up. */
export default defineConfig(e2e, {
  testDir: '.',
  outputDir: '../../test-results',
  workers: 1,
  reporter: [['list']],
  timeout: 600_000,
  use: { actionTimeout: 60_000, navigationTimeout: 60_000 },
});
