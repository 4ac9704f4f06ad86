import { describe, expect, test, vi } from 'vitest';

import { useBulkInput } from '#stores/bulk/bulk-input';
import { code, connection, otherCode } from '#tests/stores/check/samples';
import { scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

function opened() {
  const worker = scriptedWorker({ 'connections.list': () => [connection()] });
  return useBulkInput(withPorts({ ask: worker.ask }));
}

/** A file whose first read waits until it is released. */
function slowFile(text: string): { file: File; release: () => void } {
  const reading = Promise.withResolvers<undefined>();
  class SlowFile extends File {
    override slice(...range: [number?, number?]): Blob {
      const part = super.slice(...range);
      const bytes = part.arrayBuffer.bind(part);
      part.arrayBuffer = () => reading.promise.then(bytes);
      return part;
    }
  }
  return {
    file: new SlowFile([text], 'older.csv'),
    release: () => {
      reading.resolve(undefined);
    },
  };
}

describe('stale answers', () => {
  test('a file that is read slowly does not replace the text given after it', async () => {
    const input = opened();
    const { file, release } = slowFile(`order;code\n1;${otherCode}\n2;${otherCode}\n`);
    const older = input.open(file);
    await input.open(`${code}\n`);
    release();
    await older;
    await vi.waitFor(() => {
      expect(input.reading).toBe(false);
    });
    expect(input.name).toBe('');
    expect(input.layout).toEqual({ kind: 'list' });
    expect(input.collected?.codes.map((found) => found.code)).toEqual([code]);
  });

  test('a file that is read slowly does not come back after it was put away', async () => {
    const input = opened();
    const { file, release } = slowFile(`${code}\n`);
    const older = input.open(file);
    input.clear();
    release();
    await older;
    expect(input.layout).toBeUndefined();
    expect(input.collected).toBeUndefined();
  });
});
