import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import Vue from '@vitejs/plugin-vue';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

import { compactCatalogues } from '#scripts/build/compact-catalogues';
import { icons } from '#scripts/build/icons';

const propertyLimit = fileURLToPath(new URL('./tests/support/property-limit.ts', import.meta.url));

/** Gives the long limit of property tests to every test file that imports fast-check, and to no other. */
const longLimitForProperties: Plugin = {
  name: 'long-limit-for-properties',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === 'fast-check' && importer !== propertyLimit ? propertyLimit : undefined,
};

/** The tests in Node of relays that answer many at once, or within their time: nothing may run beside them. */
const underLoad = [
  'tests/relay/{calls,calls-together,gate,instances,load,processes,proxies,rolling-restart,sending}.test.ts',
];

/** The tests in Node that start other programs, or take long. */
const startingPrograms = [
  'tests/core/installation/{model,table}.test.ts',
  'tests/relay/{backup,build,doctor,executable,init,secrecy,join/stores,store/{postgres,sqlite}}.test.ts',
  'tests/relay/admin/{report,tokens,database-move}.test.ts',
  'tests/runtimes.test.ts',
  'tests/sandbox/{authority/race,main,samples/served}.test.ts',
  'tests/scripts/{arguments,build-relay,machine/memory-folder,command-line/refusal}.test.ts',
];

const inNode = {
  // Offers a PostgreSQL and the relay's program, made only for tests that ask for them.
  globalSetup: 'tests/relay/support/run-setup.ts',
  setupFiles: 'tests/support/own-channels.ts',
  // Half the time of a new worker for each file. Files share modules, so a module must hold no state of its own.
  pool: 'threads',
  isolate: false,
  // One more than there are cores: much of the time is a wait for a program.
  maxWorkers: availableParallelism() + 1,
  // A busy machine may be slow, but it must not fail a test.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
} as const;

/** Runs `*.test.ts` in Node and `*.browser.test.ts` in a real Chromium, with its real IndexedDB and DOM. */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [longLimitForProperties],
        test: {
          ...inNode,
          name: 'node',
          // Vitest refuses one run of projects with different `maxWorkers` unless each is a group.
          sequence: { groupOrder: 0 },
          include: ['tests/**/*.test.ts'],
          exclude: [
            'tests/**/*.browser.test.ts',
            'tests/e2e/**',
            ...startingPrograms,
            ...underLoad,
          ],
        },
      },
      ...Object.entries({ programs: startingPrograms, alone: underLoad }).map(
        ([name, include], before) => ({
          plugins: [longLimitForProperties],
          test: {
            ...inNode,
            name,
            sequence: { groupOrder: before + 1 },
            include,
            // Each has a program or a database beside it.
            maxWorkers: availableParallelism(),
            testTimeout: 120_000,
          },
        }),
      ),
      {
        plugins: [Vue(), compactCatalogues(), icons()],
        test: {
          name: 'browser',
          sequence: { groupOrder: 3 },
          // Half the time of a page for each file. A module must hold no state of its own, and `empty-page.ts` clears
          // the page.
          isolate: false,
          setupFiles: 'tests/support/empty-page.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          include: ['tests/**/*.browser.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              launchOptions: {
                executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
                // Without a real GPU, to imitate one costs a tenth of the time.
                args: ['--no-sandbox', '--disable-gpu'],
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
