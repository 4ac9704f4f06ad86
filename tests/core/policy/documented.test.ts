import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readPolicy } from '#core/policy/policy';

const root = join(import.meta.dirname, '../../..');
const document = readFileSync(join(root, 'docs/policy.md'), 'utf8');
const fingerprintOf = (raw: string): Promise<string> =>
  Promise.resolve(createHash('sha256').update(Buffer.from(raw, 'hex')).digest('hex'));

/** Returns the block of the document that has this name behind its language. */
function block(name: string): string {
  const found = new RegExp(`^\`\`\`\\w+ ${name}\n([^]*?)^\`\`\``, 'm').exec(document)?.[1];
  if (found === undefined) throw new Error(`The document has no block "${name}".`);
  return found;
}

/** Reads one of the two files of the administrative template. */
const template = (ending: string): string =>
  readFileSync(join(root, `docs/policy/Counterfoil.${ending}`), 'utf8');

/** Returns what stands at a path of names in JSON. */
function member(name: string, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown>)[key],
    JSON.parse(block(name)),
  );
}

/** Firefox's policy of the same name. */
type Settings = Readonly<Record<string, { readonly install_url: string }>>;

const registryValue = (name: string): unknown =>
  JSON.parse(/^"settings"=(".*")\s*$/m.exec(block(name))?.[1] ?? '');
const plistValue = (name: string): string | undefined =>
  /<key>settings<\/key>\s*<string>([^<]*)<\/string>/.exec(block(name))?.[1];
const firefoxId = /id: '([^']+@[^']+)'/.exec(
  readFileSync(join(root, 'wxt.config.ts'), 'utf8'),
)?.[1];

describe('the page about policies', () => {
  test('has an example with every part, which is read', async () => {
    const read = await readPolicy(block('example'), fingerprintOf);
    expect(read).toMatchObject({ ok: true });
    const parts = read.ok ? read.value : undefined;
    expect(Object.keys(parts ?? {}).toSorted()).toEqual(
      [
        'authorities',
        'connections',
        'format',
        'keyStorage',
        'keys',
        'language',
        'privacy',
        'sites',
        'templates',
        'version',
      ].toSorted(),
    );
    expect(Object.values(parts ?? {}).filter((part) => JSON.stringify(part) === '[]')).toEqual([]);
  });

  const id = 'EXTENSION_ID';
  test.each([
    ['chromium-linux', () => member('chromium-linux', '3rdparty', 'extensions', id, 'settings')],
    [
      'firefox-any',
      () =>
        member('firefox-any', 'policies', '3rdparty', 'Extensions', firefoxId ?? '', 'settings'),
    ],
    ['chromium-windows', () => registryValue('chromium-windows')],
    ['firefox-windows', () => registryValue('firefox-windows')],
    ['chromium-macos', () => plistValue('chromium-macos')],
    ['firefox-macos', () => plistValue('firefox-macos')],
    ['google-admin', () => member('google-admin', 'settings', 'Value')],
    ['intune-windows', () => /-Value '([^']*)'/.exec(block('intune-windows'))?.[1]],
  ])('has a file that holds a policy: %s', async (_, settings) => {
    expect(await readPolicy(settings(), fingerprintOf)).toMatchObject({
      ok: true,
      value: { language: 'de' },
    });
  });

  test('names the same place in the registry in each way of writing it', () => {
    const key = /\[HKEY_LOCAL_MACHINE\\(.*)\]/.exec(block('chromium-windows'))?.[1];
    expect(key).toContain(`\\${id}\\policy`);
    expect(template('admx')).toContain(`key="${key ?? ''}"`);
    expect(template('admx')).toContain('valueName="settings"');
    expect(block('intune-windows')).toContain(`HKLM:\\${key ?? ''}'`);
    expect(block('firefox-windows')).toContain(`\\Extensions\\${firefoxId ?? ''}]`);
    expect(block('firefox-macos')).toContain(`<key>${firefoxId ?? ''}</key>`);
  });

  test('has texts for what its administrative template names', () => {
    const named = template('admx').matchAll(/\$\((string|presentation)\.(\w+)\)/g);
    for (const [, kind = '', name = ''] of named)
      expect(template('adml')).toContain(`<${kind} id="${name}">`);
  });

  test('installs from the same places in each way of writing it', () => {
    const fromWebStore = `${id};https://clients2.google.com/service/update2/crx`;
    expect(member('install-chromium-linux')).toEqual({
      ExtensionInstallForcelist: [fromWebStore],
    });
    expect(block('install-windows')).toContain(`"1"="${fromWebStore}"`);
    expect(block('install-chromium-macos')).toContain(`<string>${fromWebStore}</string>`);

    const settings = member('install-firefox-any', 'policies', 'ExtensionSettings') as Settings;
    const written = /^"ExtensionSettings"=(".*")\s*$/m.exec(block('install-windows'))?.[1] ?? '';
    expect(JSON.parse(JSON.parse(written) as string)).toEqual(settings);
    const [[installed, entry] = []] = Object.entries(settings);
    expect(installed).toBe(firefoxId);
    for (const text of [
      `<key>${installed ?? ''}</key>`,
      `<string>${entry?.install_url ?? ''}</string>`,
    ])
      expect(block('install-firefox-macos')).toContain(text);
    expect(document).toContain(`\`${entry?.install_url ?? ''}\``);
  });
});
