import { describe, expect, test, vi } from 'vitest';
import { watch } from 'vue';

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
    await expect.poll(() => input.reading).toBe(false);
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

test('lines that are inserted at once, each with an event of its own, are read once', async () => {
  const input = opened();
  await input.open(code);
  let read = 0;
  watch(
    () => input.layout,
    (layout) => {
      if (layout !== undefined) read += 1;
    },
    { flush: 'sync' },
  );
  const lines = [code, otherCode, code];
  const readings: Promise<void>[] = [];
  for (const [at] of lines.entries()) {
    readings.push(input.open(lines.slice(0, at + 1).join('\n')));
    // Between two events of one task a browser runs what was promised, and nothing else.
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  }
  await Promise.all(readings);
  expect(read).toBe(1);
  expect(input.collected?.codes).toHaveLength(2);
  expect(input.collected?.duplicates).toBe(1);
});

describe('the file of a check', () => {
  const text = `order;code\n1;${code}\n2;${otherCode}\n`;

  test('has no headings where its first line holds a code of an unusual form', async () => {
    const input = opened();
    await input.open(new File([`1;X-2024-1\n2;${code}\n3;${otherCode}\n`], 'orders.csv'));
    expect(input.readSource()).toMatchObject({ layout: { column: 1, hasHeadings: false } });
    expect(input.collected?.codes).toHaveLength(3);
  });

  test('is copied byte by byte', async () => {
    const input = opened();
    await input.open(new File([text], 'orders.csv'));
    const read = input.readSource();
    expect(read).toMatchObject({ layout: { column: 1, hasHeadings: true } });
    expect(await read?.file.text()).toBe(text);
  });

  test('is what was read when it was chosen, whatever becomes of it', async () => {
    const input = opened();
    const file = new File([text], 'orders.csv');
    await input.open(file);
    // A change that the browser does not notice.
    file.slice = () => new Blob([`order;code\n1;${otherCode}\n`]);
    await input.chooseColumn(1);
    expect(input.collected?.codes.map((found) => found.code)).toEqual([code, otherCode]);
    expect(await input.readSource()?.file.text()).toBe(text);
  });

  test('gives no codes when it breaks off while they are read', async () => {
    const input = opened();
    await input.open(new File([text], 'orders.csv'));
    const failing = vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(new Error('Gone.'));
    await input.chooseColumn(1);
    failing.mockRestore();
    expect(input.unreadable).toBe(true);
    expect(input.reading).toBe(false);
    expect(input.collected).toBeUndefined();
  });

  test('cannot be read when less of it is left than was chosen', async () => {
    const input = opened();
    const file = new File([text], 'orders.csv');
    file.slice = () => new Blob([text.slice(0, 9)]);
    await input.open(file);
    expect(input.unreadable).toBe(true);
    expect(input.readSource()).toBeUndefined();
  });
});
