import { secretCodec } from '#adapters/secrets/secret-record';
import { authorityCodec } from '#adapters/storage/worker/authority-store';
import { connectionCodec, siteCodec } from '#adapters/storage/worker/connection-store';
import { latestMomentCodec } from '#adapters/storage/page/verifier-stores';
import { pinnedKeyCodec } from '#adapters/storage/pinned-key-codec';
import { entryCodec, historySettingsCodec } from '#adapters/storage/history-store';
import { itemCodec, listingCodec } from '#adapters/storage/item-cache';
import { jobCodec, rowCodec } from '#adapters/storage/job-store';
import type { RecordCodec } from '#adapters/storage/tables';
import { preferencesCodec } from '#adapters/storage/preference-setting';
import { replyTemplatesCodec } from '#adapters/storage/reply-templates';
import { defaultDialect } from '#core/connections/index';
import { defaultHistorySettings } from '#core/preferences/index';

/** A form of stored records, and a record that it reads. */
interface StoredSample {
  readonly codec: RecordCodec<object>;
  readonly sample: object;
}

const at = 1789376400000;
const connectionId = 'c0a8f1a2-0000-4000-8000-000000000001';
const code = '5eed0000-0000-4000-8000-000000000001';
const item = { id: 101, name: 'Harbor Theme', version: '1.4.0' };
const purchase = {
  item,
  licenseType: 'Regular',
  price: 59,
  currency: 'USD',
  downloaded: true,
  date: at - 86_400_000,
  supportedUntil: at + 86_400_000,
};
const found = { kind: 'purchase', purchase };
const notFound = { kind: 'not-found', msg: 'Invalid purchase code', key: 'good', proven: true };
const sealed = { iv: 'TLJLRU3fR2429v0K', data: '8mRVEm/RGE7KC3nq9aDNITcDIhLASk2gKKqaSkcsGiNO' };
const connection = {
  id: connectionId,
  name: 'Market',
  baseAddress: 'https://market.example/shop',
  revision: 4,
  dialect: { ...defaultDialect, proven: true, codePattern: 'AAA-999' },
};
const authority = {
  id: 'a0a8f1a2-0000-4000-8000-000000000001',
  name: 'Licensing',
  address: 'https://licensing.example',
  kind: 'live',
  products: ['harbor'],
};
const site = { origin: 'https://desk.example', automatic: true };
const key = {
  id: 'one',
  label: 'Authority',
  raw: '1'.repeat(64),
  fingerprint: '2'.repeat(64),
  revoked: false,
};
const entry = {
  id: 1,
  codeId: '495a73d0dcc9dabd62d19ccf4d1234b4',
  spellingId: 'e95bf8370d1cdd370886c59b0064869f',
  code,
  connectionId,
  connectionName: 'Market',
  checkedAt: at,
  answer: found,
  by: 'agent',
  question: 'q',
};
const job = {
  id: 'job-1',
  name: 'tickets.csv',
  createdAt: at,
  connectionIds: [connectionId],
  state: 'running',
};
const row = { jobId: 'job-1', index: 0, connectionId, code, line: 1, times: 1 };
const template = {
  id: 't1',
  situation: 'supported',
  language: 'en',
  name: 'Thanks',
  text: 'Hello {customer}, you are covered.',
  whole: true,
};
const secrets = (wrapping: object, key: object): object => ({
  wrapping,
  lockAfterMinutes: 15,
  entries: { [connectionId]: { baseAddress: connection.baseAddress, ...key } },
});
const nextKey = { baseAddress: 'https://market.example/other', sealed };
const passphrase = { mode: 'passphrase', salt: 'wscuSY6SOZV+vDjLpUfVvw==', rounds: 600_000 };

const samplesOf = (codec: RecordCodec<object>, ...samples: readonly object[]): StoredSample[] =>
  samples.map((sample) => ({ codec, sample: codec.write(sample) }));

/** Holds samples of every kind of stored record. */
export const storedRecords: readonly StoredSample[] = [
  ...samplesOf(connectionCodec, connection, {
    ...connection,
    throughRelay: true,
    deletedUntil: at,
  }),
  ...samplesOf(authorityCodec, authority, { ...authority, kind: 'test', deletedUntil: at }),
  ...samplesOf(siteCodec, site, {
    ...site,
    expectedItem: { connectionId, itemId: 101, name: item.name },
  }),
  ...samplesOf(pinnedKeyCodec, key, {
    ...key,
    kind: 'live',
    keyId: 'k1',
    validFrom: at,
    authority: authority.address,
    products: authority.products,
    remembered: { license: { encoding: 'token', input: 'payload' } },
  }),
  ...samplesOf(
    entryCodec,
    { ...entry, ticket: 'https://desk.example/t/1', note: 'asked twice' },
    { ...entry, code: '5eed…0001', sealed, answer: notFound, by: 'bulk', jobId: job.id },
  ),
  ...samplesOf(jobCodec, job, { ...job, expectedItemId: 101, deletedUntil: at }),
  ...samplesOf(
    rowCodec,
    { ...row, waiting: 0 },
    { ...row, checkedAt: at, outcome: { ok: true, value: notFound }, foundSpelling: code },
  ),
  ...samplesOf(itemCodec, { connectionId, id: item.id, item, fetchedAt: at, lookedUp: false }),
  ...samplesOf(listingCodec, { connectionId, fetchedAt: at, unreadable: 1 }),
  ...samplesOf(preferencesCodec, { theme: 'dark', pictures: false, connection: connectionId }),
  ...samplesOf(replyTemplatesCodec, {
    format: 'markdown',
    language: 'en',
    frames: { en: { greeting: 'Hi,', closing: 'Ada' } },
    templates: [template],
  }),
  ...samplesOf(historySettingsCodec, defaultHistorySettings),
  ...samplesOf(latestMomentCodec, { at }),
  ...samplesOf(
    secretCodec,
    secrets({ mode: 'device', keyId: 'k' }, { sealed, next: nextKey }),
    secrets({ ...passphrase, proof: sealed }, { sealed }),
    secrets({ mode: 'session' }, {}),
  ),
];

/** Lists values that IndexedDB stores and JSON does not. */
export const otherValues: readonly unknown[] = [
  undefined,
  NaN,
  Infinity,
  1n,
  new Date(NaN),
  new Map([['a', 1]]),
  new Uint8Array(3),
];
