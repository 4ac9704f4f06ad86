import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { rename, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A revocation writes some tens of pages of 4 KiB. */
const reserveBytes = 1024 * 1024;

/** Reserves room in a file for revoking rights on a full disk, unless the file exists or the disk has little room. Never rejects. */
export async function keepReserve(path: string): Promise<void> {
  // Another name until it is complete. The content is random, since zeros take no room on some file systems.
  const part = `${path}-${randomBytes(4).toString('hex')}`;
  try {
    const { bavail, bsize } = await statfs(dirname(path));
    // With less free room, the reserve itself might fill the disk.
    if (existsSync(path) || bavail * bsize < 16 * reserveBytes) return;
    await writeFile(part, randomBytes(reserveBytes), { mode: 0o600, flush: true });
    await rename(part, path);
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Frees the room for the next writes; false if there was none. */
export function freeReserve(path: string): boolean {
  const held = existsSync(path);
  rmSync(path, { force: true });
  return held;
}
