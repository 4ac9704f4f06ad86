import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';
import { array, looseObject, optional, parse, string, unknown } from 'valibot';

import { chromiumBuild } from '#scripts/running/extension';
import { leastBrowsers } from '#scripts/build/extension';
import { root } from '#scripts/machine/processes';

const manifestSchema = looseObject({
  permissions: array(string()),
  host_permissions: optional(unknown()),
  optional_host_permissions: array(string()),
  content_scripts: optional(unknown()),
  externally_connectable: optional(unknown()),
  web_accessible_resources: optional(unknown()),
  content_security_policy: looseObject({ extension_pages: string() }),
});

/** What each permission is for, as it is spelled in the code that needs it. */
const uses: Readonly<Record<string, RegExp>> = {
  storage: /\bstorage\b/,
  activeTab: /\bexecuteScript\b/,
  scripting: /\bscripting\b/,
  contextMenus: /\bcontextMenus\b/,
  alarms: /\balarms\b/,
  declarativeNetRequestWithHostAccess: /\bdeclarativeNetRequest\b/,
  sidePanel: /\bsidePanel\b/,
};

async function shippedScripts(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const scripts = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.js'));
  const texts = scripts.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

test('the Chromium build alone has a schema for the organization’s policy, of one text', async () => {
  const read = async (folder: string, file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, file), 'utf8'));
  const manifest = await read(chromiumBuild, 'manifest.json');
  expect(manifest).toMatchObject({ storage: { managed_schema: 'managed-schema.json' } });
  expect(await read(chromiumBuild, 'managed-schema.json')).toMatchObject({
    type: 'object',
    properties: { settings: { type: 'string' } },
  });
  const firefox = join(root, '.output/firefox-mv3');
  expect(await read(firefox, 'manifest.json')).not.toHaveProperty('storage');
  expect(await readdir(firefox)).not.toContain('managed-schema.json');
});

for (const [browser, folder] of [
  ['Chromium', chromiumBuild],
  ['Firefox', join(root, '.output/firefox-mv3')],
] as const) {
  test(`the ${browser} build asks for no host at install and for no more than it uses`, async () => {
    const manifest = parse(
      manifestSchema,
      JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')),
    );
    expect(manifest.host_permissions).toBeUndefined();
    expect(manifest.content_scripts).toBeUndefined();
    expect(manifest.externally_connectable).toBeUndefined();
    expect(manifest.web_accessible_resources).toBeUndefined();
    expect(manifest.optional_host_permissions).toEqual([
      'https://*/*',
      'http://localhost/*',
      'http://127.0.0.1/*',
    ]);
    expect(Object.keys(uses)).toEqual(expect.arrayContaining(manifest.permissions));
    expect(manifest.content_security_policy.extension_pages).toContain("default-src 'none'");
    expect(manifest.content_security_policy.extension_pages).toContain(
      "require-trusted-types-for 'script'",
    );

    const directives = manifest.content_security_policy.extension_pages.split('; ');
    expect(directives).toContain("img-src 'self' data: https:");
    expect(directives).toContain('media-src data: https:');

    const shipped = await shippedScripts(folder);
    for (const permission of manifest.permissions) {
      expect(shipped, `${permission} is used`).toMatch(uses[permission] ?? /unlisted/);
    }
  });
}

test('both manifests refuse browsers older than the documents say', async () => {
  const read = async (folder: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const { chromium, firefox } = leastBrowsers;
  expect(await read(chromiumBuild)).toMatchObject({ minimum_chrome_version: String(chromium) });
  expect(await read(join(root, '.output/firefox-mv3'))).toMatchObject({
    browser_specific_settings: { gecko: { strict_min_version: `${String(firefox)}.0` } },
  });
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  expect(readme).toContain(`**Firefox ${String(firefox)} or newer:**`);
  expect(readme).toContain(`**Chromium, Edge, Brave ${String(chromium)} or newer:**`);
  const table = await readFile(join(root, 'docs/browsers.md'), 'utf8');
  expect(table).toMatch(new RegExp(`\\| Chromium, Chrome, Edge, Brave +\\| ${String(chromium)} `));
  expect(table).toMatch(new RegExp(`\\| Firefox +\\| ${String(firefox)} `));
});

test('the table of permissions for the stores names exactly those of both manifests', async () => {
  const table = await readFile(join(root, 'docs/store/README.md'), 'utf8');
  const rows = [
    ...table.matchAll(/^\| `([^`]+)` +\| ([\w, ]+?) +\| (at install|one by one) +\| (\S.*) \|$/gm),
  ];
  for (const [name, folder] of [
    ['Chromium', chromiumBuild],
    ['Firefox', join(root, '.output/firefox-mv3')],
  ] as const) {
    const { permissions, optional_host_permissions: hosts } = parse(
      manifestSchema,
      JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')),
    );
    const named = (asked: string): (string | undefined)[] =>
      rows
        .filter(
          ([, , browsers = '', when]) => browsers.split(', ').includes(name) && when === asked,
        )
        .map(([, permission]) => permission);
    expect(named('at install').toSorted()).toEqual(permissions.toSorted());
    expect(named('one by one').toSorted()).toEqual(hosts.toSorted());
  }
});

test('Firefox is told of each kind of data that its listing explains', async () => {
  const listing = await readFile(join(root, 'docs/store/amo.md'), 'utf8');
  const section = listing.split('## Data collection\n')[1]?.split(/^## /m)[0] ?? '';
  const explained = [...section.matchAll(/^\| `(\w+)` /gm)].map(([, kind]) => kind);
  const manifest: unknown = JSON.parse(
    await readFile(join(root, '.output/firefox-mv3/manifest.json'), 'utf8'),
  );
  expect(explained.length).toBeGreaterThan(0);
  expect(manifest).toMatchObject({
    browser_specific_settings: { gecko: { data_collection_permissions: { required: explained } } },
  });
});
