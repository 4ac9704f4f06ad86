import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

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

test('the environment names the role that the guide makes', () => {
  const [, role] =
    /DATABASE_URL=postgres:\/\/(\w+)@/.exec(readFileSync(new URL('relay.env', deploy), 'utf8')) ??
    [];
  const guide = readFileSync(new URL('../../docs/relay.md', import.meta.url), 'utf8');
  expect(guide).toContain(`createuser ${String(role)} `);
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
