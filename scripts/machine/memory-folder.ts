import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const gibibyte = 2 ** 30;

/**
 * Keeps temporary files in memory until the process ends: those of this process, and of every program that it starts. A
 * browser writes a hundred files at each start, and a disk takes more of the processor for them. Does nothing where the
 * system has no such folder, where it has not the room, or where `TMPDIR` says where they belong.
 * @param folder a folder that lies in memory
 * @param neededBytes the room that it must have; twice as much memory must be free
 */
export function keepTemporaryFilesInMemory(folder = '/dev/shm', neededBytes = 4 * gibibyte): void {
  if (process.env['TMPDIR'] !== undefined || roomIn(folder) < neededBytes) return;
  if (process.availableMemory() < 2 * neededBytes) return;
  const own = mkdtempSync(join(folder, 'counterfoil-'));
  // PostgreSQL does not run as root, and must come to its own folder in this one.
  chmodSync(own, 0o755);
  process.env['TMPDIR'] = own;
  process.once('exit', () => {
    rmSync(own, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** Returns how many bytes can still be written there: none where there is no such folder. */
function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
