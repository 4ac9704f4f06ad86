import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { verifierHeaders, verifierMetaPolicy } from '#core/site/content-security-policy';

const policy = verifierHeaders.find(([name]) => name === 'content-security-policy')?.[1] ?? '';

test('nothing may be asked of another origin, and no script but our own may run', () => {
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(policy).toContain("require-trusted-types-for 'script'");
});

test('the page says the same, but for what counts in a header only', () => {
  expect(verifierMetaPolicy).toBe(policy.replace("; frame-ancestors 'none'", ''));
});

test.each([
  'docs/hosting-the-verifier.md',
  'pwa/hosting/nginx.conf',
  'pwa/hosting/Caddyfile',
  'pwa/hosting/_headers',
])('%s sends these headers, wherever it names one', async (file) => {
  const text = await readFile(file, 'utf8');
  for (const [name, value] of verifierHeaders) {
    const named = text.match(new RegExp(name, 'gi')) ?? [];
    expect(named.length, name).toBeGreaterThan(0);
    expect(text.split(value).length - 1, name).toBe(named.length);
  }
});
