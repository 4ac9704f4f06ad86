import { describe, expect, test } from 'vitest';

import { licensesOf, packageOf } from '#scripts/packages/licenses';

describe('the package of a bundled module', () => {
  test.each([
    ['/home/ada/counterfoil/node_modules/vue/dist/vue.js', 'vue'],
    ['/home/ada/counterfoil/node_modules/@noble/hashes/sha2.js?commonjs', '@noble/hashes'],
    ['/home/ada/node_modules/a/node_modules/b/index.js', 'b'],
    ['\0/home/ada/node_modules/vue/index.js', 'vue'],
    ['~icons/lucide/check', '@iconify-json/lucide'],
    ['\0plugin-vue:export-helper', '@vitejs/plugin-vue'],
    ['\0vite/preload-helper.js', 'vite'],
    ['\0rolldown/runtime.js', 'rolldown'],
    ['/home/ada/counterfoil/core/result.ts', undefined],
  ])('%j is %s', (module, name) => {
    expect(packageOf(module)).toBe(name);
  });
});

test('the licenses name each package, its version and whoever holds the rights', () => {
  const text = licensesOf(['vue', '@iconify-json/lucide', 'wxt', 'vite']);
  expect(text).toMatch(/^vue 3\.[\d.]+ \(MIT\)$/m);
  expect(text).toMatch(/^Copyright .* You$/m);
  expect(text).toContain('Lucide Contributors');
  expect(text).toMatch(/Copyright \(c\) 2023 Aaron\n\nPermission is hereby granted/);
  expect(text).not.toContain('Licenses of bundled dependencies');
});

test('a package without a license to quote stops the build', () => {
  // It is published without one, and never bundled.
  expect(() => licensesOf(['puppeteer-core'])).toThrow(/its license is not known/);
});
