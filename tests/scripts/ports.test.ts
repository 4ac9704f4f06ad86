import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { demandFreePort } from '#scripts/ports';
import { Refusal } from '#scripts/refusal';

describe('demanding a port', () => {
  test('one in use is refused with its number; the same one, let go, is not', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await expect(demandFreePort(port)).rejects.toThrow(Refusal);
    await expect(demandFreePort(port)).rejects.toThrow(String(port));
    await new Promise((done) => server.close(done));
    await expect(demandFreePort(port)).resolves.toBeUndefined();
  });
});
