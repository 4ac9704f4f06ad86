import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { verifierHeaders, verifierMetaPolicy } from '#core/verifier/content-security-policy';

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

test('every server configuration that is documented sends this very policy', async () => {
  const pages = await readFile('docs/hosting-the-verifier.md', 'utf8');
  expect(pages.split(policy)).toHaveLength(5);
  expect(pages.match(/Content-Security-Policy/g)).toHaveLength(4);
});
