import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Problem } from '#relay/problem';

/** The master keys by id: the current one, and older ones until everything is wrapped again. */
export interface Keyring {
  readonly currentId: string;
  find(id: string): Uint8Array | undefined;
}

const keyBytes = 32;

/**
 * Reads master keys, each a file of exactly 32 random bytes that only its owner may read. There is no default.
 * @param files the current key first
 * @throws Problem
 */
export function readKeyring(files: readonly string[]): Keyring {
  const [current, ...older] = files.map(readMasterKey);
  if (current === undefined) throw new Problem('No master key file is named.');
  const keys = new Map([current, ...older].map((key) => [idOf(key), key]));
  return { currentId: idOf(current), find: (id) => keys.get(id) };
}

/** Writes a new master key. @throws if the file already exists */
export function createMasterKey(file: string): void {
  writeFileSync(file, randomBytes(keyBytes), { flag: 'wx', mode: 0o400 });
}

function readMasterKey(file: string): Uint8Array {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new Problem(
      `The master key file ${file} is not there: put it back, or correct RELAY_MASTER_KEY.`,
    );
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
    throw new Problem(`The master key file ${file} can be read by others: chmod 400 it.`);
  }
  const key = readFileSync(file);
  if (key.length !== keyBytes) {
    throw new Problem(
      `The master key file ${file} does not hold exactly 32 bytes: put the right one there.`,
    );
  }
  return key;
}

/** Returns an id of a key that reveals nothing about it. */
function idOf(key: Uint8Array): string {
  return createHash('sha256')
    .update('counterfoil-relay master key id')
    .update(key)
    .digest('hex')
    .slice(0, 16);
}
