import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { createObserver } from '#relay/observe/observer';
import { version } from '#relay/version';

const deploy = new URL('../../../relay/deploy/', import.meta.url);
const alerts = readFileSync(new URL('alerts.yml', deploy), 'utf8');
const dashboard = JSON.parse(readFileSync(new URL('grafana.json', deploy), 'utf8')) as {
  readonly panels: readonly {
    readonly id: number;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
};
const { groups } = parse(alerts) as {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
};
const targets = dashboard.panels.flatMap((panel) => panel.targets);
const queries = [...targets, ...groups.flatMap(({ rules }) => rules)].map(({ expr }) => expr);

/** Returns the page after each metric was set, so that each shows its labels. */
async function fullPage(): Promise<string> {
  const observer = createObserver('silent');
  observer.call({ call: 'validation', result: 'asked', status: 200, milliseconds: 1 });
  observer.upstream('shop', 'validation', '200');
  observer.storeFault('call', undefined);
  observer.join('begun');
  observer.database(1);
  observer.disk(1);
  return observer.page();
}

test('the version of the program is a metric', async () => {
  expect(await fullPage()).toContain(`counterfoil_relay_info{version="${version}"} 1`);
});

test('the dashboard and the alerts ask for metrics that the relay has, by labels that they have', async () => {
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', list = ''] of (await fullPage()).matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const known = [...list.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
    labels.set(name, new Set([...(labels.get(name) ?? []), ...known, 'instance', 'job']));
  }
  expect(queries.length).toBeGreaterThan(10);
  for (const query of queries) {
    const names = [...query.matchAll(/\bcounterfoil_\w+/g)].map(([name]) => name);
    const asked = [
      ...[...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */)),
      ...[...query.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
    ];
    if (!/^(?:up|probe_success)\{/.test(query)) expect(names, query).not.toEqual([]);
    for (const name of names) {
      expect([...labels.keys()], query).toContain(name);
      expect([...(labels.get(name) ?? [])], query).toEqual(expect.arrayContaining(asked));
    }
  }
});

test('what a line of the dashboard is called is a label of its query, or a name', () => {
  for (const { expr, legendFormat } of targets) {
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
      expect(expr).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
    }
  }
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe.runIf(hasPromtool)('promtool', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relay-alerts-'));
    writeFileSync(join(folder, 'alerts.yml'), alerts);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const promtool = (...args: readonly string[]): readonly [number | null, string] => {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: folder,
      encoding: 'utf8',
    });
    return [status, stdout + stderr];
  };

  test('finds nothing wrong with the alerts, nor with a query of the dashboard', () => {
    const rules = targets.map(({ expr }, n) => ({
      record: `panel:${String(n)}`.replace(/\d+$/, 'n$&'),
      expr,
    }));
    writeFileSync(
      join(folder, 'panels.yml'),
      JSON.stringify({ groups: [{ name: 'panels', rules }] }),
    );
    expect(promtool('check', 'rules', 'alerts.yml', 'panels.yml')).toEqual([
      0,
      expect.stringContaining(`${String(rules.length)} rules found`) as string,
    ]);
  });

  test('sees each alert when it is due, and none before', () => {
    const series = (series: string, values: string): object => ({ series, values });
    const fires = (alertname: string, time: string, labels: object | undefined): object => ({
      eval_time: time,
      alertname,
      exp_alerts: labels === undefined ? [] : [{ exp_labels: labels }],
    });
    const upstream = (result: string): string =>
      `counterfoil_relay_upstream_calls_total{connection="shop", call="validation", result="${result}"}`;
    const calls = (result: string): string =>
      `counterfoil_relay_calls_total{call="validation", result="${result}"}`;
    const bucket = (le: string): string =>
      `counterfoil_relay_call_seconds_bucket{call="validation", le="${le}"}`;
    const shop = { connection: 'shop' };
    const tests = [
      {
        interval: '1m',
        input_series: [
          series('up{job="counterfoil-relay", instance="a"}', '1x60 0x60'),
          series('counterfoil_relay_store_faults_total', '0x61 3x60'),
          series('counterfoil_relay_disk_free_bytes', '2000000000x60 900000000x60'),
          series(upstream('200'), '0+60x120'),
          series(upstream('upstream-timeout'), '0x60 0+60x60'),
          series(upstream('401'), '0x60 0+10x60'),
          series(calls('asked'), '0+60x120'),
          series(calls('pace'), '0x60 0+30x60'),
          series(bucket('5'), '0+60x60 3600x60'),
          series(bucket('10'), '0+60x60 3600+60x60'),
          series(bucket('+Inf'), '0+60x60 3600+60x60'),
        ],
        alert_rule_test: (
          [
            ['CounterfoilRelayDown', { job: 'counterfoil-relay', instance: 'a' }],
            ['CounterfoilRelayStoreFaults', {}, '65m'],
            ['CounterfoilRelayDiskLow', {}],
            ['CounterfoilRelayMarketplaceFails', shop],
            ['CounterfoilRelayKeyRefused', shop],
            ['CounterfoilRelayPaceExhausted', {}],
            ['CounterfoilRelaySlow', {}],
          ] as const
        ).flatMap(([name, labels, at = '110m']) => [
          fires(name, '59m', undefined),
          fires(name, at, labels),
        ]),
      },
    ];
    // Only whether they fire counts here, so that the sentences stand in one place.
    const bare = alerts.replaceAll(/^ +annotations:\n.*\n/gm, '');
    writeFileSync(join(folder, 'bare.yml'), bare);
    writeFileSync(
      join(folder, 'test.yml'),
      JSON.stringify({ rule_files: ['bare.yml'], evaluation_interval: '1m', tests }),
    );
    expect(promtool('test', 'rules', 'test.yml')).toEqual([
      0,
      expect.stringContaining('SUCCESS') as string,
    ]);
  });
});
