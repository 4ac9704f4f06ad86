import { vi } from 'vitest';

// Stands in for fast-check (vitest.config.ts): hundreds of runs take long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

export * from 'fast-check';
export { default } from 'fast-check';
