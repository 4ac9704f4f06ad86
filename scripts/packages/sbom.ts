import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  boolean,
  type InferOutput,
  looseObject,
  object,
  optional,
  parse,
  record,
  string,
} from 'valibot';

import { root } from '#scripts/machine/processes';

const lockfile = object({
  packages: record(
    string(),
    looseObject({
      version: optional(string()),
      license: optional(string()),
      integrity: optional(string()),
      dev: optional(boolean(), false),
      devOptional: optional(boolean(), false),
      optional: optional(boolean(), false),
      dependencies: optional(record(string(), string()), {}),
    }),
  ),
});

type Packages = InferOutput<typeof lockfile>['packages'];

const folder = 'node_modules/';

/**
 * Returns the bill of materials as CycloneDX 1.6: what the lockfile installs for use, and what a build bundles beside
 * it. `npm sbom` cannot be used: it refuses this tree over packages that only tests need, and without those it leaves
 * Vue out.
 * @param date of the release, such as `2026-11-22`
 * @param bundled the names of packages that have code in a build
 */
export function billOfMaterials(
  version: string,
  date: string,
  bundled: readonly string[] = [],
): unknown {
  const { packages } = parse(
    lockfile,
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const shipped = Object.keys(packages).filter(
    (path) => path.startsWith(folder) && ships(packages, path, bundled),
  );
  const own = { 'bom-ref': 'counterfoil', version, name: 'counterfoil', type: 'application' };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: `${date}T00:00:00Z`,
      component: { ...own, licenses: [{ license: { id: 'MIT' } }] },
    },
    components: shipped.map((path) => component(packages, path)),
    dependencies: [
      { ref: 'counterfoil', dependsOn: needs(packages, '', shipped) },
      ...shipped.map((path) => ({ ref: path, dependsOn: needs(packages, path, shipped) })),
    ],
  };
}

function ships(packages: Packages, path: string, bundled: readonly string[]): boolean {
  const { dev = false, devOptional = false, optional: isOptional = false } = packages[path] ?? {};
  // Packages marked optional are the Node that builds, and what other packages can do without.
  return !(dev || devOptional || isOptional) || bundled.includes(path.slice(folder.length));
}

function component(packages: Packages, path: string): unknown {
  const { version = '', license = '', integrity = '' } = packages[path] ?? {};
  const name = path.slice(path.lastIndexOf(folder) + folder.length);
  return {
    'bom-ref': path,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
    hashes: [...integrity.matchAll(/sha512-(\S+)/g)].map(([, digest = '']) => ({
      alg: 'SHA-512',
      content: Buffer.from(digest, 'base64').toString('hex'),
    })),
  };
}

/** Finds the packages that one depends on as Node does: in its own folder first, then further out. */
function needs(packages: Packages, path: string, shipped: readonly string[]): string[] {
  const names = Object.keys(packages[path]?.dependencies ?? {});
  return names.flatMap((name) => {
    for (let from = path; ; from = from.slice(0, Math.max(0, from.lastIndexOf(`/${folder}`)))) {
      const found = `${from === '' ? '' : `${from}/`}${folder}${name}`;
      if (shipped.includes(found)) return found;
      if (from === '') return [];
    }
  });
}
