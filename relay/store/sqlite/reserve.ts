import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { rename, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Keeps room on the disk, so that rights can be taken away when it is full. */
export interface Reserve {
  /** Takes the room, unless it is taken already or the disk has little. Never rejects. */
  readonly keep: () => Promise<void>;
  /** Gives it to the next writes; false when there was none. */
  readonly free: () => boolean;
}

/** A revocation writes some tens of pages of 4 KiB. */
const reserveBytes = 1024 * 1024;
/** With less, the reserve itself might be what fills the disk. */
const plentyBytes = 16 * reserveBytes;

/** Creates a reserve of one file. */
export function createReserve(path: string): Reserve {
  const isThere = (): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
  async function make(): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(path));
    if (bavail * bsize < plentyBytes) return;
    // Under another name until it is whole. Random, since zeros take no room on some file systems.
    const part = `${path}-${randomBytes(4).toString('hex')}`;
    try {
      await writeFile(part, randomBytes(reserveBytes), { mode: 0o600, flush: true });
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
    }
  }
  return {
    keep: async () => {
      if (!isThere()) await make().catch(() => undefined);
    },
    free: () => {
      const held = isThere();
      rmSync(path, { force: true });
      return held;
    },
  };
}
