import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createLineBuffer } from '#relay/observe/line-buffer';

describe.skipIf(process.platform === 'win32')('before a pipe', () => {
  let folder: string;
  let pipe: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'counterfoil-pipe-'));
    pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test('a reader that is behind loses no line', async () => {
    const read = join(folder, 'read');
    // Into a file: this process reads nothing while the buffer waits.
    const reader = spawn('sh', ['-c', 'sleep 0.3; cat "$0" > "$1"', pipe, read]);
    const ended = once(reader, 'exit');
    const file = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const lines = Array.from({ length: 20_000 }, (_, number) => `{"line":${String(number)}}\n`);
    const buffer = createLineBuffer(file);
    for (const line of lines) buffer.write(line);
    buffer.flushSync();
    closeSync(file);
    await ended;
    expect(readFileSync(read, 'utf8')).toBe(lines.join(''));
  });

  test('lines that nobody reads any more are dropped', () => {
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const file = openSync(pipe, constants.O_WRONLY);
    closeSync(reader);
    const buffer = createLineBuffer(file);
    buffer.write('a line\n');
    expect(() => {
      buffer.flushSync();
    }).not.toThrow();
    closeSync(file);
  });
});
