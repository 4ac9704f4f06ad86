import { spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { freePorts } from '#scripts/machine/processes';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { joinForToken } from '#tests/relay/support/joining';
import { callThrough, type RelayFiles, relayFiles, validation } from '#tests/relay/support/relay';
import { bareEnvironment } from '#tests/relay/support/run-program';

let files: RelayFiles;
let seller: CountingUpstream;
let syslog: Socket;
beforeEach(async () => {
  files = relayFiles();
  seller = await countingUpstream();
  syslog = createSocket('udp4');
  syslog.bind(0, '127.0.0.1');
  await once(syslog, 'listening');
});
afterEach(async () => {
  syslog.close();
  await seller.close();
  files.remove();
});

test('a syslog has a line for each row that the relay adds while it serves, and no code', async () => {
  const messages: string[] = [];
  syslog.on('message', (message) => messages.push(message.toString()));
  await files.connect('shop', seller.origin, 'key-0123456789');
  const token = await files.join('ada@team.test');
  await files.admin('agents add bob@team.test');
  const invite = await files.admin('invites add bob@team.test');
  const before = (await files.admin('audit csv')).split('\r\n').length;
  const address = new URL(`syslog://127.0.0.1:${String(syslog.address().port)}`);
  const relay = await files.start({ auditLines: address });
  const base = `${relay.origin}/c/shop`;
  for (const code of ['first-code-1234', 'first-code-1234', 'second-code-5678']) {
    await callThrough(base, token, validation, { code });
  }
  await joinForToken(relay.origin, invite);
  await fetch(`${relay.origin}/relay/v1/token`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  const rows = (await files.admin('audit csv')).split('\r\n').slice(before);
  await expect.poll(() => messages.length).toBe(rows.length);
  await relay.stop();
  const told = messages.map((message) => {
    const [, json = ''] =
      /^<109>1 \d{4}-\S+Z \S+ counterfoil-relay \d+ audit - (\{.*\})$/.exec(message) ?? [];
    const {
      event,
      kind,
      result,
      callId = '',
      codeLast4 = '',
    } = JSON.parse(json) as Record<string, string>;
    expect(event).toBe('audit');
    return [kind, result, callId, codeLast4].join();
  });
  const recorded = rows.map((row) => {
    const [, kind, result, callId = '', , , , , , codeLast4 = ''] = row.split(',');
    return [kind, result, callId, codeLast4].join();
  });
  expect(told.toSorted()).toEqual(recorded.toSorted());
  expect(messages.join()).not.toMatch(/first-code|second-code|key-0123/);
  expect(messages.join()).not.toContain(token.split('_')[2]);
});

test('on stdout the rows stand between the lines of the log, all of them JSON', async () => {
  await files.connect('shop', seller.origin, 'key-0123456789');
  const token = await files.join('ada@team.test');
  const [port] = await freePorts(1);
  const main = fileURLToPath(new URL('../../../relay/main.ts', import.meta.url));
  const env = {
    ...bareEnvironment,
    RELAY_DATABASE: files.database,
    RELAY_MASTER_KEY: files.masterKey,
    RELAY_PORT: String(port),
    RELAY_METRICS_PORT: '0',
    RELAY_AUDIT_LINES: 'stdout',
  };
  const relay = spawn(process.execPath, [main], { cwd: files.folder, env });
  const said = text(relay.stdout);
  const base = `http://127.0.0.1:${String(port)}/c/shop`;
  const isUp = (): Promise<boolean> =>
    fetch(`${base}/`).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp).toBe(true);
  await callThrough(base, token, validation, { code: 'first-code-1234' });
  relay.kill('SIGTERM');
  await once(relay, 'exit');
  const lines = (await said).trim().split('\n');
  const told = lines.map((line) => JSON.parse(line) as Record<string, string>);
  const rows = told.filter(({ event }) => event === 'audit');
  expect(rows.map(({ kind }) => kind)).toEqual(['intent', 'outcome', 'reply']);
  expect(rows.every(({ codeLast4 }) => codeLast4 === '1234')).toBe(true);
  expect(told.length).toBeGreaterThan(rows.length);
  expect(lines.join()).not.toContain('first-code');
});

test('a syslog that is not there keeps nobody from being answered', async () => {
  await files.connect('shop', seller.origin, 'key-0123456789');
  const token = await files.join('ada@team.test');
  const relay = await files.start({ auditLines: new URL('syslog://no-such-host.invalid:514') });
  const reply = await callThrough(`${relay.origin}/c/shop`, token, validation, { code: 'c' });
  await relay.stop();
  expect(reply.status).toBe(200);
});
