import { closeSync, fdatasync, openSync } from 'node:fs';

/** Brings what was written to a file onto the disk, while the event loop goes on. */
export interface DiskSync {
  /** Resolves once everything that was written before is on the disk. One sync serves all that wait for it. */
  readonly reached: () => Promise<void>;
  /** Call it when nothing waits any more. */
  readonly close: () => void;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Opens a file for its syncs. @param path a file that exists */
export function openDiskSync(path: string): DiskSync {
  const descriptor = openSync(path, 'r+');
  return {
    reached: inTurns((done) => {
      fdatasync(descriptor, done);
    }),
    close: () => {
      closeSync(descriptor);
    },
  };
}

/** Runs a sync for all who wait. Whoever comes while one runs waits for the next, since that one may not hold what they wrote. */
export function inTurns(sync: (done: (error: Error | null) => void) => void): () => Promise<void> {
  let waiting: Waiting[] = [];
  let running = false;

  function next(): void {
    if (running || waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    running = true;
    sync((error) => {
      running = false;
      next();
      for (const { resolve, reject } of group) {
        if (error === null) resolve();
        else reject(error);
      }
    });
  }

  return () =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      next();
    });
}
