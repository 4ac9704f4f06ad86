import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import {
  type RelayFiles,
  type StartedRelay,
  account,
  callThrough,
  relayOn,
  stores,
  validation,
} from '#tests/relay/support/relay';

const key = `canary-key-+/"'!~&-0123456789`;
const code = 'canary-code-8678c3cd-2a21';

/** Spellings of a text as servers of several languages write it into a page. */
const written = (text: string): string[] => [
  text,
  JSON.stringify(text).slice(1, -1),
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('/', String.raw`\/`),
  encodeURIComponent(text),
  encodeURIComponent(text).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  new URLSearchParams([['', text]]).toString().slice(1),
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#039;'),
  text.replaceAll(/[+/"'!~&]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
  text.replaceAll(/[+"'&]/g, (sign) => String.raw`\u00${sign.charCodeAt(0).toString(16)}`),
];
describe.each(stores)('on %s', (store) => {
  let seller: CountingUpstream;
  let files: RelayFiles;
  let relay: StartedRelay;
  let token: string;
  let replies: string;

  beforeAll(async () => {
    seller = await countingUpstream();
    files = await relayOn(store);
    await files.connect('shop', seller.origin, key, '--limit 6000');
    token = await files.join('ada@fenwick.test');
    relay = await files.start();
    const base = `${relay.origin}/c/shop`;
    const texts: string[] = [];
    const read = async (reply: Response): Promise<void> => {
      texts.push(JSON.stringify([...reply.headers]), await reply.text());
    };
    await read(await callThrough(base, token, validation, { code }));
    await read(await callThrough(base, `${token.slice(0, -1)}x`, validation, { code }));
    await read(await fetch(`${base}${account}?api_key=${token}`));
    await read(await callThrough(base, token, `/api/${token}`));
    const echoes = written(key).flatMap((spelling) => [
      { status: 500, body: `debug: api_key=${spelling}` },
      { status: 500, headers: { 'content-type': `text/html; debug="${spelling}"` }, body: '' },
    ]);
    for (const echo of echoes) {
      seller.replyWith(echo);
      // An account's reply would lose what this role may not see.
      await read(await callThrough(base, token, validation, { code: randomUUID() }));
    }
    seller.replyWith({ status: 302, headers: { location: `/?api_key=${key}` }, body: key });
    await read(await callThrough(base, token, account));
    replies = texts.join('\n');
  });
  afterAll(async () => {
    await relay.stop();
    await seller.close();
    files.remove();
  });

  /** Every spelling that a search must not find. */
  const spellings = (secret: string): string[] => [
    ...written(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ];

  const finds = (text: string, secrets: readonly string[]): string[] =>
    secrets.flatMap(spellings).filter((spelling) => text.includes(spelling));

  test('the key reached the seller, so that the search below means something', () => {
    expect(seller.arrived.length).toBe(2 + 2 * written(key).length);
  });

  test('neither key nor token stands in a reply, even when the seller sends the key back', () => {
    expect(finds(replies, [key, token])).toEqual([]);
    expect(replies.match(/"failure":"upstream-echoed-key"/g)).toHaveLength(2 * written(key).length);
  });

  test('neither key, token nor code stands in the log at debug level', () => {
    expect(relay.logged()).toContain('"event":"call"');
    expect(finds(relay.logged(), [key, token, code])).toEqual([]);
    expect(relay.logged()).not.toContain('127.0.0.1');
  });

  test('neither stands in the metrics', async () => {
    const metrics = await fetch(`http://127.0.0.1:${String(relay.metricsPort)}/metrics`);
    expect(finds(await metrics.text(), [key, token, code])).toEqual([]);
  });

  test('neither stands in the audit, which knows a code by HMAC and last four', async () => {
    const csv = await files.admin('audit csv');
    expect(finds(csv, [key, token, code])).toEqual([]);
    expect(csv).toMatch(/reply,asked,.*,shop,validation,[0-9a-f]{64},2a21/);
    expect(csv).toContain('intent,interactive');
    expect(csv).toContain('outcome,success');
  });

  test.runIf(store === 'SQLite')(
    'neither stands in the database’s files, the reply in the cache included',
    () => {
      const names = readdirSync(files.folder).filter((name) => name.startsWith('relay.db'));
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        const text = readFileSync(join(files.folder, name)).toString('latin1');
        expect(finds(text, [key, token, code, 'Lantern'])).toEqual([]);
      }
    },
  );

  test.runIf(store === 'PostgreSQL')('neither stands in a dump of the database', () => {
    const { programs = '', superuser = '' } = files.postgres ?? {};
    const dump = spawnSync(join(programs, 'pg_dump'), ['--inserts', superuser], {
      encoding: 'latin1',
      maxBuffer: 2 ** 28,
    });
    expect(dump.stderr).toBe('');
    expect(dump.stdout).toContain('INSERT INTO relay.cached_reply');
    const inHex = Buffer.from('Lantern').toString('hex');
    expect(finds(dump.stdout, [key, token, code, 'Lantern', inHex])).toEqual([]);
  });
});
