import { clear, createStore } from 'idb-keyval';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  dropWaiting,
  keepAsked,
  keepShare,
  maxWaiting,
  peekWaiting,
  sharedTextLifetime,
} from '#adapters/browser/waiting-files';
import { maxShareBytes } from '#core/site/share-rule';

beforeEach(() => clear(createStore('counterfoil-shared', 'parcel')));

function shareOf(text: string, ...files: readonly File[]): Request {
  const form = new FormData();
  form.set('text', text);
  for (const file of files) form.append('files', file);
  return new Request('https://verifier.example/share-target', { method: 'POST', body: form });
}

describe('a share', () => {
  test('waits, a large file by its name alone, until it is dropped', async () => {
    const large = new File([new Uint8Array(300 * 1024)], 'large.bin');
    await keepShare(shareOf('a license', new File(['small'], 'a.lic'), large), 1000);
    const shared = await peekWaiting(2000);
    expect(shared).toMatchObject({ text: 'a license', more: 0, missed: 0, filesLeftOut: 0 });
    expect(shared?.files.map(({ name, content }) => [name, content !== undefined])).toEqual([
      ['a.lic', true],
      ['large.bin', false],
    ]);
    await dropWaiting(shared?.id ?? '');
    expect(await peekWaiting(2000)).toBeUndefined();
  });

  test('that the agent asked for says so, and its files wait whole', async () => {
    const large = new File([new Uint8Array(300 * 1024)], 'large.bin');
    await keepAsked({ files: [{ name: 'folder/large.bin', file: large }], cut: true }, 1000);
    const shared = await peekWaiting(2000);
    expect(shared).toMatchObject({ asked: true, cut: true, text: '' });
    expect(shared?.files.map(({ name, content }) => [name, content?.size])).toEqual([
      ['folder/large.bin', 300 * 1024],
    ]);
  });

  test('that the agent asked for may be why a linked file is not there', async () => {
    const notFetched = { name: 'state.json', kind: 'elsewhere' } as const;
    await keepAsked({ notFetched }, 1000);
    expect(await peekWaiting(2000)).toMatchObject({ asked: true, files: [], notFetched });
  });

  test('is gone after ten minutes', async () => {
    await keepShare(shareOf('a license'), 1000);
    expect(await peekWaiting(1000 + sharedTextLifetime)).toBeUndefined();
    expect(await peekWaiting(2000)).toBeUndefined();
  });

  test('waits although the clock was corrected meanwhile', async () => {
    await keepShare(shareOf('a license'), 90_000);
    expect(await peekWaiting(89_000)).toMatchObject({ text: 'a license' });
  });

  test('waits behind another, and never takes its place', async () => {
    await keepShare(shareOf('first'), 1000);
    await keepShare(shareOf('second'), 1001);
    const first = await peekWaiting(1002);
    expect(first).toMatchObject({ text: 'first', more: 1 });
    await dropWaiting(first?.id ?? '');
    expect(await peekWaiting(1002)).toMatchObject({ text: 'second', more: 0 });
  });

  test('that finds no room is counted, so that the agent can be told', async () => {
    for (let count = 0; count < maxWaiting + 2; count += 1)
      await keepShare(shareOf(String(count)), 1000);
    const texts: string[] = [];
    let missed = 0;
    for (let next = await peekWaiting(1001); next !== undefined; next = await peekWaiting(1001)) {
      texts.push(next.text);
      missed += next.missed ?? 0;
      await dropWaiting(next.id);
    }
    expect(texts).toEqual(Array.from({ length: maxWaiting }, (_, index) => String(index)));
    expect(missed).toBe(2);
  });

  test('of more than 200 files says how many were left out', async () => {
    const files = Array.from(
      { length: 203 },
      (_, index) => new File(['x'], `${String(index)}.lic`),
    );
    await keepShare(shareOf('', ...files), 1000);
    const shared = await peekWaiting(1000);
    expect(shared?.files).toHaveLength(200);
    expect(shared?.filesLeftOut).toBe(3);
  });

  test('over the cap is read no further, and leaves a notice and nothing else', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(maxShareBytes / 10));
        if (pulled === 30) controller.close();
      },
    });
    await keepShare({ body, headers: new Headers() } as Request, 1000).catch(() => undefined);
    expect(pulled).toBeLessThan(20);
    expect(await peekWaiting(1000)).toMatchObject({ tooLarge: true, text: '', files: [] });
  });
});

test('a share that comes while another page finds none waits all the same', async () => {
  const lost: number[] = [];
  for (let pause = 0; pause < 40; pause += 1) {
    const looking = peekWaiting(1000);
    for (let turn = 0; turn < pause; turn += 1) await turnOfEvents();
    await keepShare(shareOf('a license'), 1000);
    await looking;
    const waiting = await peekWaiting(1000);
    if (waiting === undefined) lost.push(pause);
    else await dropWaiting(waiting.id);
  }
  expect(lost).toEqual([]);
});

/** Waits for one turn of the event loop, in less time than a timer takes. */
function turnOfEvents(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(undefined);
  });
}
