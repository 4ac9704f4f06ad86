import fc from 'fast-check';
import { expect, test } from 'vitest';

import { exchange } from '#adapters/http/http-exchange';

function reply(bytes: Uint8Array<ArrayBuffer>, cuts: readonly number[]): Response {
  return new Response(
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const end = at + (cuts[turn % cuts.length] ?? 1);
          controller.enqueue(bytes.subarray(at, end));
          at = end;
        }
        controller.close();
      },
    }),
  );
}

/** Requests a reply with a cap, and returns its body or the fault. */
async function received(limitBytes: number, response: Response): Promise<Uint8Array | string> {
  const fetched = await exchange(
    { method: 'GET', url: 'https://api.test', limitBytes },
    { fetch: () => Promise.resolve(response), isOnline: () => true, now: () => 0 },
  );
  return fetched.ok ? fetched.value.body : fetched.fault.kind;
}

test('a body is the same in pieces of every length, and none beyond the limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 100 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
      async (bytes, cuts) => {
        const whole = new Uint8Array(bytes);
        expect(await received(whole.length, reply(whole, cuts))).toEqual(whole);
        if (whole.length > 0)
          expect(await received(whole.length - 1, reply(whole, cuts))).toBe('too-large');
      },
    ),
  );
});
