import { defineConfig } from 'vitest/config';

/** The tests that run in Node alone: what mutants are judged by. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    include: ['tests/{core,messaging,background}/**/*.test.ts'],
    exclude: ['tests/**/*.browser.test.ts'],
  },
});
