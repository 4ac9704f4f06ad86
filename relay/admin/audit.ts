import { parseArgs } from 'node:util';

import { type Cell, writeCsv } from '#core/text/csv';
import { AdminProblem, takeArguments } from '#relay/admin/problem';
import type { Command } from '#relay/admin/command';
import { rotate } from '#relay/keys/vault';

const columns = [
  ...(['at', 'kind', 'result', 'callId', 'agent', 'token', 'connection', 'call'] as const),
  ...(['codeHmac', 'codeLast4'] as const),
];

export const printAudit: Command = async ({ store, print }, args) => {
  const month = monthOption(args, 'month');
  const printRow = (cells: readonly Cell[]): void => {
    // What prints adds the end of the line.
    print(writeCsv([cells]).replace(/\n$/, ''));
  };
  printRow(columns);
  await store.readAudit(month, (row) => {
    printRow(columns.map((name) => (name === 'at' ? new Date(row.at).toISOString() : row[name])));
  });
};

export const dropAudit: Command = async ({ store, now, print }, args) => {
  const before = monthOption(args, 'before');
  if (before === undefined) throw new AdminProblem('Say up to which month: --before 2026-11');
  const current = new Date(now()).toISOString().slice(0, 7);
  if (before > current) {
    throw new AdminProblem(`${before} is still to come: only months that are over are dropped.`);
  }
  const dropped = await store.dropAuditBefore(before);
  print(dropped.length === 0 ? 'There is nothing older.' : `Dropped ${dropped.join(', ')}.`);
};

export const rotateMasterKey: Command = async ({ store, keyring, print }, args) => {
  takeArguments(args);
  const keys = keyring();
  const count = await rotate(store, keys);
  print(`${String(count)} keys are wrapped anew under the master key ${keys.currentId}.`);
};

function monthOption(args: readonly string[], name: string): string | undefined {
  const { values } = parseArgs({ args: [...args], options: { [name]: { type: 'string' } } });
  const month = values[name];
  if (month === undefined) return undefined;
  if (typeof month === 'string' && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) return month;
  throw new AdminProblem(`--${name} is a month: YYYY-MM`);
}
