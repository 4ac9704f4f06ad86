import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { createDatabase } from '#relay/admin/database-create';

const unit = readFileSync(
  new URL('../../relay/deploy/counterfoil-relay@.service', import.meta.url),
  'utf8',
);
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relay-unit-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Returns what systemd has to say about a unit. */
function analyze(text: string, command: readonly string[]): string {
  const file = join(folder, 'counterfoil-relay@.service');
  // The program of the unit need not be on this machine.
  writeFileSync(file, text.replace('/usr/bin/node', process.execPath));
  const { stdout, stderr } = spawnSync('systemd-analyze', [...command, file], { encoding: 'utf8' });
  return aboutOurs(stdout + stderr);
}

/** Keeps the lines about our unit: systemd reads the machine's others too, and may have something to say about them. */
function aboutOurs(told: string): string {
  const isOfAnother = (line: string): boolean =>
    /\.(?:service|socket|timer|target|mount|slice|path)\b/.test(line) &&
    !line.includes('counterfoil-relay@');
  return told
    .split('\n')
    .filter((line) => line !== '' && !isOfAnother(line))
    .join('\n');
}

test('what systemd says of other units of the machine is not taken for ours', () => {
  const other = '/lib/systemd/system/rt5-fcgi.service:9: Unknown key name in section [Service].';
  const ours = '/tmp/a/counterfoil-relay@.service:9: Unknown key name in section [Service].';
  expect(aboutOurs(`${other}\n${ours}\n`)).toBe(ours);
});

const deploy = new URL('../../relay/deploy/', import.meta.url);

test('Node reads the environment of an instance from both files, and nothing is set before it is edited', () => {
  const files = ['--env-file=relay.env', '--env-file=1.env'];
  const script =
    'console.log(Object.keys(process.env).filter((name) => /RELAY|DATABASE/.test(name)).sort().join())';
  const { stdout } = spawnSync(process.execPath, [...files, '-e', script], {
    cwd: deploy,
    env: {},
    encoding: 'utf8',
  });
  expect(stdout).toBe('RELAY_METRICS_PORT,RELAY_PORT\n');
});

test('the environment names the role that the guide’s line makes', () => {
  const [, role] =
    /DATABASE_URL=postgres:\/\/(\w+)@/.exec(readFileSync(new URL('relay.env', deploy), 'utf8')) ??
    [];
  const printed: string[] = [];
  createDatabase([], folder, (line) => printed.push(line));
  expect(printed.join('\n')).toContain(`ALTER ROLE ${String(role)} LOGIN PASSWORD`);
  const guide = readFileSync(new URL('../../docs/relay.md', import.meta.url), 'utf8');
  expect(guide).toContain('admin database create');
});

const fileOf = (name: string): string => readFileSync(new URL(name, deploy), 'utf8');

test('every variable that the files name is one that the relay reads', () => {
  const read = readFileSync(new URL('../../relay/settings.ts', import.meta.url), 'utf8');
  // What compose.yaml itself asks for.
  const others = ['RELAY_SITE'];
  for (const file of readdirSync(deploy)) {
    for (const [name] of fileOf(file).matchAll(/\bRELAY_[A-Z_]+/g)) {
      if (!others.includes(name)) expect(read, `${name} of ${file}`).toContain(name);
    }
  }
});

interface Service {
  readonly build?: string;
  readonly image?: string;
  readonly command?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
}

describe('the compose file', () => {
  const file = parse(fileOf('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<'admin' | 'relay' | 'proxy' | 'database', Service>>;
    readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
    readonly volumes: Readonly<Record<string, null>>;
  };
  const { admin, relay, proxy, database } = file.services;

  test('names files, volumes and networks that are there', () => {
    expect(relay.build).toBe('.');
    expect(existsSync(new URL('Containerfile', deploy))).toBe(true);
    for (const { volumes, networks } of Object.values(file.services)) {
      for (const volume of volumes) {
        const [from = ''] = volume.split(':');
        if (from.startsWith('./')) expect(existsSync(new URL(from, deploy)), from).toBe(true);
        else expect(Object.keys(file.volumes)).toContain(from);
      }
      for (const network of networks) expect(Object.keys(file.networks)).toContain(network);
    }
    for (const [, from] of fileOf('Containerfile').matchAll(/^COPY (?:--\S+ )*(\S+) /gm)) {
      expect(from === 'counterfoil-relay' || existsSync(new URL(from ?? '', deploy)), from).toBe(
        true,
      );
    }
  });

  test('shows the proxy alone to the network, and lets nobody but the relay reach the database', () => {
    expect([relay.ports, database.ports]).toEqual([undefined, undefined]);
    expect(proxy.command).toMatch(/--to relay:8790$/);
    expect(file.networks['inside']).toEqual({ internal: true });
    expect([database.networks, proxy.networks]).toEqual([['inside'], ['outside']]);
  });

  test('runs the relay without rights, on a root that it cannot write to', () => {
    expect(relay).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(fileOf('Containerfile')).toMatch(/^USER 65532:65532$/m);
    expect(relay.volumes).toEqual(['relay:/relay']);
  });

  test('gives the owner’s password to the administrator’s commands alone, and on no command line', () => {
    expect(JSON.stringify(relay)).not.toContain('OWNER_PASSWORD');
    expect(admin.environment['DATABASE_URL']).toContain('relay_owner:${OWNER_PASSWORD:?}@');
    const typed = fileOf('compose.yaml').match(/^# .*$/gm) ?? [];
    expect(typed.join('\n')).not.toMatch(/postgres:\/\//);
  });

  test('makes the roles that the guide names', () => {
    expect(spawnSync('sh', ['-n', 'database.sh'], { cwd: deploy }).status).toBe(0);
    for (const role of ['relay_owner', 'relay_runner']) {
      expect(fileOf('database.sh')).toContain(`CREATE ROLE ${role} LOGIN`);
    }
  });
});

describe.runIf(hasSystemd)('the systemd unit', () => {
  test('is one that systemd finds nothing wrong with', () => {
    expect(analyze(unit, ['verify', '--man=no'])).toBe('');
    expect(analyze(unit.replace('NoNewPrivileges', 'NoNewPriviledges'), ['verify'])).toContain(
      'NoNewPriviledges',
    );
  });

  test('shuts the service off from the machine, as systemd judges it', () => {
    const judged = analyze(unit, ['security', '--offline=true']);
    const exposure = /exposure level for .*: ([\d.]+)/.exec(judged)?.[1];
    expect(Number(exposure)).toBeLessThan(2);
    const open = unit.replace('ProtectSystem=strict', '').replace('CapabilityBoundingSet=', '');
    expect(analyze(open, ['security', '--offline=true'])).not.toContain(
      `level for counterfoil-relay@i.service: ${exposure ?? ''}`,
    );
  });
});
