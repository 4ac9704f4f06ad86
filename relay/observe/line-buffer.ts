import { writeSync } from 'node:fs';

export interface LineBuffer {
  write(line: string): void;
  /** Writes the lines that are held back. */
  flushSync(): void;
}

const maxHeldCharacters = 4096;
const maxHeldMs = 100;
/** How long a reader that is behind is waited for before the next try. */
const retryMs = 20;

/**
 * Creates a buffer before an open file, which holds lines back for 100 ms at most, since each write wakes whoever reads them.
 * Waits for a reader that is behind. What cannot be written for another reason is dropped: nobody reads any more, or the disk is full.
 */
export function createLineBuffer(file: number): LineBuffer {
  let held = '';
  let timer: NodeJS.Timeout | undefined;
  function flushSync(): void {
    clearTimeout(timer);
    timer = undefined;
    const lines = Buffer.from(held);
    held = '';
    writeAll(file, lines);
  }
  return {
    write: (line) => {
      held += line;
      if (held.length >= maxHeldCharacters) flushSync();
      else timer ??= setTimeout(flushSync, maxHeldMs).unref();
    },
    flushSync,
  };
}

function writeAll(file: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(file, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    }
  }
}
