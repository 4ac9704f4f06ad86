import { writeSync } from 'node:fs';

export interface LineBuffer {
  write(line: string): void;
  /** Writes the buffered lines. */
  flushSync(): void;
}

const maxHeldCharacters = 4096;
const maxHeldMs = 100;
/** How long to wait for a slow reader before the next try, in milliseconds. */
const retryMs = 20;

/**
 * Creates a buffer for an open file. It holds lines for 100 ms at most, since each write wakes the reader, and waits for a slow reader.
 * Lines that cannot be written for another reason (no reader, or a full disk) are dropped.
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
