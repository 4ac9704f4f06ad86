import { fileURLToPath } from 'node:url';

import VueI18n from '@intlify/unplugin-vue-i18n/vite';
import Vue from '@vitejs/plugin-vue';
import { playwright } from '@vitest/browser-playwright';
import Icons from 'unplugin-icons/vite';
import { defineConfig } from 'vitest/config';

/** `*.test.ts` runs in Node; `*.browser.test.ts` in a real Chromium, with its real IndexedDB and DOM. */
export default defineConfig({
  test: {
    // A property test on a busy machine takes longer than the five seconds that are the default.
    testTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/**/*.browser.test.ts', 'tests/e2e/**'],
        },
      },
      {
        plugins: [
          Vue(),
          VueI18n({
            include: [fileURLToPath(new URL('./locales/*.json', import.meta.url))],
            runtimeOnly: true,
            dropMessageCompiler: true,
            compositionOnly: true,
            fullInstall: false,
          }),
          Icons({ compiler: 'vue3' }),
        ],
        test: {
          name: 'browser',
          include: ['tests/**/*.browser.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              launchOptions: {
                executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
                args: ['--no-sandbox'],
              },
            }),
            instances: [{ browser: 'chromium' }],
            screenshotFailures: false,
          },
        },
      },
    ],
  },
});
