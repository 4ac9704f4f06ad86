import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { rename, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A revocation writes some tens of pages of 4 KiB. */
const reserveBytes = 1024 * 1024;

/** Keeps room in a file, for taking rights away on a full disk, unless it is there or the disk has little. Never rejects. */
export async function keepReserve(path: string): Promise<void> {
  // Under another name until it is whole. Random, since zeros take no room on some file systems.
  const part = `${path}-${randomBytes(4).toString('hex')}`;
  try {
    const { bavail, bsize } = await statfs(dirname(path));
    // On a smaller rest the reserve itself might fill the disk.
    if (existsSync(path) || bavail * bsize < 16 * reserveBytes) return;
    await writeFile(part, randomBytes(reserveBytes), { mode: 0o600, flush: true });
    await rename(part, path);
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Gives it to the next writes; false when there was none. */
export function freeReserve(path: string): boolean {
  const held = existsSync(path);
  rmSync(path, { force: true });
  return held;
}
