import { afterEach, expect, test } from 'vitest';

import { listen, type Listening } from '#relay/http/server';
import { createMetricsApp } from '#relay/relay';

let side: Listening | undefined;
afterEach(() => side?.drain(0));

test('a page that cannot be made is answered, and the relay goes on', async () => {
  let isBroken = true;
  const page = () =>
    isBroken ? Promise.reject(new Error('A gauge failed.')) : Promise.resolve('up 1');
  side = await listen(createMetricsApp({ page, contentType: 'text/plain' }), {
    host: '127.0.0.1',
    port: 0,
  });
  const address = `http://127.0.0.1:${String(side.port)}/metrics`;
  expect((await fetch(address)).status).toBe(500);
  isBroken = false;
  expect(await (await fetch(address)).text()).toBe('up 1');
});
