import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { policyOnlySchema, readPolicy } from '#core/policy/policy';
import { succeed } from '#core/result';
import { settingsFileSchema } from '#core/settings/settings-file';

const root = join(import.meta.dirname, '../../..');
const document = readFileSync(join(root, 'docs/policy.md'), 'utf8');
const fingerprintOf = (raw: string): Promise<string> =>
  Promise.resolve(createHash('sha256').update(Buffer.from(raw, 'hex')).digest('hex'));

/** A schema of valibot, as far as it names members. */
interface Schema {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly value?: Schema;
  readonly wrapped?: Schema;
}

/** Names the members of a schema that none of these values has. */
function absentMembers(schema: Schema, values: readonly unknown[]): readonly string[] {
  const { entries = {}, item, value, wrapped } = schema;
  const inner = wrapped ?? item ?? (schema.entries === undefined ? value : undefined);
  if (inner !== undefined)
    return absentMembers(
      inner,
      wrapped === undefined
        ? values.flatMap((each) => Object.values(each as Readonly<Record<string, unknown>>))
        : values,
    );
  return Object.entries(entries).flatMap(([name, member]) => {
    const there = values.flatMap((each) =>
      Object.hasOwn(each as object, name)
        ? [(each as Readonly<Record<string, unknown>>)[name]]
        : [],
    );
    if (there.length === 0) return [name];
    return absentMembers(member, there).map((absent) => `${name}.${absent}`);
  });
}

/** Reads one of the files that the document links to. */
function example(name: string): string {
  if (!document.includes(`](policy/${name})`)) throw new Error(`The document names no ${name}.`);
  return readFileSync(join(root, 'docs/policy', name), 'utf8');
}

/** Reads one of the two files of the administrative template. */
const template = (ending: string): string => example(`Counterfoil.${ending}`);

function member(json: string, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown>)[key],
    JSON.parse(json),
  );
}

/** Firefox's policy of the same name. */
type Settings = Readonly<Record<string, { readonly install_url: string }>>;

const googleAdmin = /^```json google-admin\n([^]*?)^```/m.exec(document)?.[1] ?? '';
const registryValue = (name: string): unknown =>
  JSON.parse(/^"settings"=(".*")\s*$/m.exec(example(name))?.[1] ?? '');
const plistValue = (name: string): string | undefined =>
  /<key>settings<\/key>\s*<string>([^<]*)<\/string>/.exec(example(name))?.[1];
const firefoxId = /id: '([^']+@[^']+)'/.exec(
  readFileSync(join(root, 'wxt.config.ts'), 'utf8'),
)?.[1];

describe('the page about policies', () => {
  test('has an example that is read', async () => {
    expect(await readPolicy(example('example.json'), fingerprintOf)).toMatchObject({ ok: true });
  });

  test('has an example with every member that is read', () => {
    const written: unknown = JSON.parse(example('example.json'));
    const absent = absentMembers(
      { type: 'object', entries: { ...settingsFileSchema.entries, ...policyOnlySchema.entries } },
      [written],
    );
    // A policy is not believed what a connection has proven, and a key's id is its fingerprint.
    expect(absent).toEqual(['connections.dialect.proven', 'keys.id']);
  });

  const id = 'EXTENSION_ID';
  test.each([
    [
      'chromium.json',
      () => member(example('chromium.json'), '3rdparty', 'extensions', id, 'settings'),
    ],
    [
      'policies.json',
      () =>
        member(
          example('policies.json'),
          'policies',
          '3rdparty',
          'Extensions',
          firefoxId ?? '',
          'settings',
        ),
    ],
    ['chromium.reg', () => registryValue('chromium.reg')],
    ['firefox.reg', () => registryValue('firefox.reg')],
    ['chromium.plist', () => plistValue('chromium.plist')],
    ['firefox.plist', () => plistValue('firefox.plist')],
    ['Google Admin', () => member(googleAdmin, 'settings', 'Value')],
    ['intune.ps1', () => /-Value '([^']*)'/.exec(example('intune.ps1'))?.[1]],
  ])('has a file that holds a policy: %s', async (_, settings) => {
    expect(await readPolicy(settings(), fingerprintOf)).toMatchObject(succeed({ language: 'de' }));
  });

  test('names the same place in the registry in each way of writing it', () => {
    const key = /\[HKEY_LOCAL_MACHINE\\(.*)\]/.exec(example('chromium.reg'))?.[1];
    expect(key).toContain(`\\${id}\\policy`);
    expect(template('admx')).toContain(`key="${key ?? ''}"`);
    expect(template('admx')).toContain('valueName="settings"');
    expect(example('intune.ps1')).toContain(`HKLM:\\${key ?? ''}'`);
    expect(example('firefox.reg')).toContain(`\\Extensions\\${firefoxId ?? ''}]`);
    expect(example('firefox.plist')).toContain(`<key>${firefoxId ?? ''}</key>`);
  });

  test('has texts for what its administrative template names', () => {
    const named = template('admx').matchAll(/\$\((string|presentation)\.(\w+)\)/g);
    for (const [, kind = '', name = ''] of named)
      expect(template('adml')).toContain(`<${kind} id="${name}">`);
  });

  test('installs from the same places in each way of writing it', () => {
    const fromWebStore = `${id};https://clients2.google.com/service/update2/crx`;
    expect(member(example('chromium.json'), 'ExtensionInstallForcelist')).toEqual([fromWebStore]);
    expect(example('chromium.reg')).toContain(`"1"="${fromWebStore}"`);
    expect(example('chromium-install.plist')).toContain(`<string>${fromWebStore}</string>`);

    const settings = member(example('policies.json'), 'policies', 'ExtensionSettings') as Settings;
    const written = /^"ExtensionSettings"=(".*")\s*$/m.exec(example('firefox.reg'))?.[1] ?? '';
    expect(JSON.parse(JSON.parse(written) as string)).toEqual(settings);
    const [[installed, entry] = []] = Object.entries(settings);
    expect(installed).toBe(firefoxId);
    for (const text of [
      `<key>${installed ?? ''}</key>`,
      `<string>${entry?.install_url ?? ''}</string>`,
    ])
      expect(example('firefox.plist')).toContain(text);
    expect(document).toContain(`\`${entry?.install_url ?? ''}\``);
  });
});
