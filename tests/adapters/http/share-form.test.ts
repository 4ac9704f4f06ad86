import { describe, expect, test } from 'vitest';

import { readShareForm } from '#adapters/http/share-form';

describe('readShareForm', () => {
  const address = 'https://verifier.example/share-target';

  test('reads a form up to the cap', async () => {
    const posted = new FormData();
    posted.set('text', 'x'.repeat(500));
    const request = new Request(address, { method: 'POST', body: posted });
    const form = await readShareForm(request, 1000);
    expect(form.ok && form.value.get('text')).toBe('x'.repeat(500));
  });

  test('stops reading at the cap, however much would come', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(100));
      },
    });
    const request = { body, headers: new Headers() } as Request;
    expect(await readShareForm(request, 1000)).toEqual({ ok: false, fault: 'too-large' });
    expect(pulled).toBeLessThan(20);
  });
});
