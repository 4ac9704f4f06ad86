import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

import * as v from 'valibot';

import { inTransaction } from '#sandbox/database';

/** An Ed25519 key of the authority. The private half never leaves the database's process. */
export interface AuthorityKey {
  /** The first 16 hex digits of the fingerprint. */
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Since when it signs nothing new; its earlier signatures stay verifiable. */
  readonly retiredAt?: number;
}

export interface AuthorityKeys {
  /** Returns the key that signs. */
  current(): AuthorityKey;
  /** Lists all keys, including retired ones, newest first. */
  all(): readonly AuthorityKey[];
  /** Retires the current key and begins a new one. */
  rotate(at: number): AuthorityKey;
}

const keyRow = v.object({
  key_id: v.string(),
  private_key: v.string(),
  created_at: v.number(),
  retired_at: v.nullable(v.number()),
});

/** Opens the keys of one database. They are random and created at its first use. */
export function openKeys(database: DatabaseSync, now: number): AuthorityKeys {
  const select = database.prepare(
    'SELECT key_id, private_key, created_at, retired_at FROM authority_keys ORDER BY serial DESC',
  );
  const selectCurrent = database.prepare(
    'SELECT key_id FROM authority_keys ORDER BY serial DESC LIMIT 1',
  );
  const insert = database.prepare(
    `INSERT INTO authority_keys (key_id, serial, private_key, created_at)
     SELECT ?, coalesce(max(serial), 0) + 1, ?, ? FROM authority_keys`,
  );
  const retire = database.prepare(
    'UPDATE authority_keys SET retired_at = ? WHERE retired_at IS NULL',
  );

  let known: AuthorityKey[] = [];
  const load = (): AuthorityKey[] => {
    known = select.all().map(fromRow);
    return known;
  };
  const add = (at: number): void => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    insert.run(fingerprintOf(publicKey).slice(0, 16), toPkcs8(privateKey), at);
  };
  const current = (): AuthorityKey => {
    const { key_id: id } = selectCurrent.get() as { key_id: string };
    const key = known[0]?.id === id ? known[0] : load()[0];
    if (key === undefined) throw new Error('The authority has no key.');
    return key;
  };

  inTransaction(database, () => {
    if (load().length === 0) add(now);
  });
  return {
    current,
    all() {
      current();
      return known;
    },
    rotate(at) {
      inTransaction(database, () => {
        retire.run(at);
        add(at);
      });
      return current();
    },
  };
}

/** Creates a key pair outside any database, for forged replies and for samples of another authority. */
export function strayKey(now: number): AuthorityKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { id: fingerprintOf(publicKey).slice(0, 16), privateKey, publicKey, createdAt: now };
}

/** Returns the SHA-256 of the raw 32 bytes, in hex. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256').update(rawOf(publicKey)).digest('hex');
}

export function rawOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
}

export function toPem(publicKey: KeyObject): string {
  return publicKey.export({ format: 'pem', type: 'spki' }).toString();
}

function toPkcs8(privateKey: KeyObject): string {
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

function fromRow(row: unknown): AuthorityKey {
  const { key_id: id, private_key: pem, ...at } = v.parse(keyRow, row);
  const privateKey = createPrivateKey(pem);
  const key = { id, privateKey, publicKey: createPublicKey(privateKey), createdAt: at.created_at };
  return at.retired_at === null ? key : { ...key, retiredAt: at.retired_at };
}
