import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { array, object, parse, string, looseObject } from 'valibot';
import { expect, test } from 'vitest';

import { billOfMaterials } from '#scripts/packages/sbom';
import { root } from '#scripts/machine/processes';

const bill = object({
  bomFormat: string(),
  metadata: looseObject({ timestamp: string() }),
  components: array(
    looseObject({
      'bom-ref': string(),
      name: string(),
      version: string(),
      purl: string(),
      licenses: array(looseObject({})),
      hashes: array(object({ alg: string(), content: string() })),
    }),
  ),
  dependencies: array(object({ ref: string(), dependsOn: array(string()) })),
});

const read = (bundled: readonly string[] = []) =>
  parse(bill, billOfMaterials('1.2.3', '2026-12-01', bundled));

test('the bill names every dependency of package.json, and what those need', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const named = read().components.map(({ name, version }) => [name, version]);
  expect(named).toEqual(expect.arrayContaining(Object.entries(dependencies)));
  expect(named.map(([name]) => name)).toEqual(
    expect.arrayContaining(['@vue/runtime-dom', 'workbox-core']),
  );
});

test('a package for development is named only where a build bundles it', () => {
  const names = (bundled?: readonly string[]): string[] =>
    read(bundled).components.map(({ name }) => name);
  expect(names()).not.toContain('wxt');
  expect(names(['wxt'])).toContain('wxt');
  expect(names(['wxt'])).not.toContain('vitest');
});

test('each component has its license and the SHA-512 that npm checks', () => {
  for (const { name, purl, licenses, hashes } of read().components) {
    expect(licenses, name).toHaveLength(1);
    expect(hashes, name).toEqual([
      { alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) as string },
    ]);
    expect(purl).toMatch(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d/);
  }
});

test('every dependency that is drawn leads to a component', () => {
  const { components, dependencies } = read();
  const known = new Set(['counterfoil', ...components.map((component) => component['bom-ref'])]);
  const drawn = dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(drawn.filter((ref) => !known.has(ref))).toEqual([]);
  const vue = dependencies.find(({ ref }) => ref === 'node_modules/vue');
  expect(vue?.dependsOn).toContain('node_modules/@vue/runtime-dom');
});
