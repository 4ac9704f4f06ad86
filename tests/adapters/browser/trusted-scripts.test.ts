import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const origin = 'https://verify.example';

/** The browser's Trusted Types, as far as a policy is created with them. */
const trustedTypes = {
  createPolicy: (_name: string, rules: { createScriptURL(text: string): string }) => rules,
};

async function load(): Promise<(address: string) => string> {
  const { trustScript } = await import('#adapters/browser/trusted-scripts');
  return trustScript;
}

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('trustedTypes', trustedTypes);
  vi.stubGlobal('location', new URL(`${origin}/verifier.html`));
  vi.stubEnv('DEV', false);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

describe('a script address', () => {
  test.each(['/assets/verify-worker-abc123.js', '/chunks/desk-1.js', '/service-worker.js'])(
    'of our own build passes: %s',
    async (address) => {
      expect((await load())(address)).toBe(address);
      expect((await load())(origin + address)).toBe(origin + address);
    },
  );

  test.each([
    'https://evil.example/assets/verify-worker.js',
    'data:text/javascript,1',
    'blob:https://verify.example/assets/x.js',
    '/assets/verify-worker.js?from=elsewhere',
    '/assets/../popup.html',
    '/uploads/verify-worker.js',
    '/assets/verify-worker.json',
    '/assets/deeper/verify-worker.js',
  ])('of any other place is refused: %s', async (address) => {
    const trustScript = await load();
    expect(() => trustScript(address)).toThrow(TypeError);
  });
});
