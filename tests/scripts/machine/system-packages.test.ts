import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { root } from '#scripts/machine/processes';
import { obtainPrograms, systemOf } from '#scripts/machine/system-packages';

test.each([
  ['PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nID=debian\n', 'debian'],
  ['NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n', 'like-debian'],
  ['NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n', 'like-debian'],
  ['NAME="Fedora Linux"\nID=fedora\nPRETTY_NAME="not debian"\n', 'other'],
  ['NAME="openSUSE"\nID="opensuse-leap"\nID_LIKE="suse opensuse"\n', 'other'],
])('%j is %s', (osRelease, system) => {
  expect(systemOf(osRelease)).toBe(system);
});

const readText = (file: string): string => readFileSync(join(root, file), 'utf8');

test('a command installs packages of the system before it runs anything, and no test does', () => {
  const installing = ['scripts', 'tests', 'bench', 'sandbox', 'relay', 'pwa']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.(?:ts|mjs|sh)$/.test(file) && !file.includes('node_modules'))
    .filter((file) => /'apt-get'|obtain(?:EveryProgram|Programs)\(/.test(readText(file)));
  expect(installing.toSorted()).toEqual([
    'scripts/e2e-help-desks.ts',
    'scripts/machine/system-packages.ts',
    'scripts/test.ts',
    'tests/scripts/machine/system-packages.test.ts',
  ]);
});

describe.runIf(process.platform === 'linux')('programs that are missing', () => {
  let folder = '';
  const calls = (): string[] =>
    existsSync(join(folder, 'calls'))
      ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
      : [];
  const program = (name: string, packages: readonly string[] = [name]) => ({
    find: () => (existsSync(join(folder, name)) ? join(folder, name) : undefined),
    packages,
  });
  /** Puts an `apt-get` and a `sudo` that need no root before the system's own. */
  function standIn(install: string): void {
    const script = `#!/bin/sh
echo "$*" >> ${folder}/calls
case "$*" in *install*) ${install} ;; esac
`;
    for (const [name, text] of [
      ['apt-get', script],
      ['sudo', '#!/bin/sh\nshift\nexec "$@"\n'],
    ] as const) {
      writeFileSync(join(folder, name), text);
      chmodSync(join(folder, name), 0o755);
    }
    vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'counterfoil-apt-'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  test('come in one call that waits for the lock', async () => {
    standIn(`touch ${folder}/nginx ${folder}/caddy`);
    const said: string[] = [];
    const log = (line: string): void => void said.push(line);
    const wanted = [program('nginx'), program('caddy', ['caddy', 'fonts'])];
    expect(await obtainPrograms(wanted, log, { system: 'debian' })).toBeUndefined();
    expect(calls()).toEqual([
      expect.stringMatching(/^--option DPkg::Lock::Timeout=\d{3} update$/),
      expect.stringMatching(
        /^--option DPkg::Lock::Timeout=\d{3} install --yes --no-install-recommends nginx caddy fonts$/,
      ),
    ]);
    expect(said).toHaveLength(1);
    expect(await obtainPrograms(wanted, log, { system: 'debian' })).toBeUndefined();
    expect(calls()).toHaveLength(2);
  });

  test('are told with what apt said, and how to install them', async () => {
    standIn('echo "E: no such package"; exit 100');
    const wanted = [program('nginx'), program('caddy')];
    expect(
      await obtainPrograms(wanted, () => undefined, { system: 'like-debian', pauseMs: 1 }),
    ).toBe(
      `E: no such package
Not installed: nginx, caddy. As root: apt-get update && apt-get install --no-install-recommends nginx caddy`,
    );
  });

  test('that are older than is needed although they are installed are told, and no reason to stop', async () => {
    standIn('true');
    const said: string[] = [];
    const log = (line: string): void => void said.push(line);
    expect(await obtainPrograms([program('firefox')], log, { system: 'debian' })).toBeUndefined();
    expect(said.at(-1)).toBe('Not of use here: firefox');
  });

  test('are not installed where a system has other packages', async () => {
    standIn('exit 1');
    const snap = { ...program('chromium'), onDebianAlone: true };
    expect(
      await obtainPrograms([snap], () => undefined, { system: 'like-debian' }),
    ).toBeUndefined();
    expect(
      await obtainPrograms([program('nginx')], () => undefined, { system: 'other' }),
    ).toBeUndefined();
    expect(calls()).toEqual([]);
  });
});
