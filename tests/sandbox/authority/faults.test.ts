import { verify } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  type Answer,
  claimsOf,
  licenseRequest,
  type Rig,
  startRig,
} from '#tests/sandbox/authority/authority-harness';

let rig: Rig;
let request: Record<string, unknown>;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  await rig.control('faults', {}, 'DELETE');
  request = licenseRequest(await rig.issue());
});

const order = (fault: Record<string, unknown>): Promise<Answer> => rig.control('faults', fault);
const ask = (endpoint = 'activate', signal?: AbortSignal): Promise<Response> =>
  fetch(`${rig.origin}/api/license/v1/${endpoint}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
    redirect: 'manual',
    signal: signal ?? null,
  });
const certificateOf = async (reply: Response): Promise<string> => {
  expect(reply.status).toBe(200);
  const body = (await reply.json()) as { activation_certificate: string };
  return body.activation_certificate;
};
const verifies = (token: string): boolean => {
  const [payload = '', signature = ''] = token.split('.');
  const bytes = Buffer.from(payload, 'base64url');
  const { publicKey } = rig.authority.keys.current();
  return verify(null, bytes, publicKey, Buffer.from(signature, 'base64url'));
};

describe('an outage', () => {
  it.each([
    ['unavailable', 503, 'text/html'],
    ['error-500', 500, 'text/html'],
    ['captive-portal', 200, 'text/html'],
    ['blocked-page', 403, 'text/html'],
    ['not-json', 200, 'application/json'],
    ['unauthorized', 401, 'application/json'],
  ])('%s answers %i and decides nothing', async (kind, status, type) => {
    await order({ kind });
    const reply = await ask();
    expect(reply.status).toBe(status);
    expect(reply.headers.get('Content-Type')).toContain(type);
    expect((await ask('validate')).status).toBe(403);
  });

  it('redirect points elsewhere', async () => {
    await order({ kind: 'redirect' });
    const reply = await ask();
    expect(reply.status).toBe(302);
    expect(reply.headers.get('Location')).toMatch(/^http:\/\/127\.0\.0\.1:9\//);
  });

  it('reset ends the connection', async () => {
    await order({ kind: 'reset' });
    await expect(ask()).rejects.toThrow();
  });

  it('endless never ends', async () => {
    await order({ kind: 'endless' });
    const cancel = new AbortController();
    const reply = await ask('activate', cancel.signal);
    let bytes = 0;
    const reading = (async (): Promise<void> => {
      for await (const chunk of reply.body ?? []) {
        bytes += (chunk as Uint8Array).length;
        if (bytes > 1_000_000) cancel.abort();
      }
    })();
    await expect(reading).rejects.toThrow();
  });
});

describe('a lie', () => {
  it('wrong-key comes with a certificate that another key signed', async () => {
    await order({ kind: 'wrong-key' });
    expect(verifies(await certificateOf(await ask()))).toBe(false);
  });

  it('no-certificate is a bare success', async () => {
    await order({ kind: 'no-certificate' });
    const reply = await ask();
    expect([reply.status, await reply.json()]).toEqual([200, { status: 'success' }]);
  });

  it.each([
    ['other-domain', 'domain'],
    ['other-installation', 'installation_id'],
    ['other-product', 'product_slug'],
  ])('%s is signed by the authority for another %s', async (kind, claim) => {
    await order({ kind });
    const token = await certificateOf(await ask());
    expect(verifies(token)).toBe(true);
    expect(claimsOf(token)[claim]).not.toBe(request[claim]);
  });

  it('older-certificate repeats the first one', async () => {
    const first = await certificateOf(await ask());
    await rig.control('clock', { advanceMs: 60_000 });
    await order({ kind: 'older-certificate' });
    expect(await certificateOf(await ask('validate'))).toBe(first);
    expect(await certificateOf(await ask('validate'))).not.toBe(first);
  });

  it('refuse says no to an installation that has every right', async () => {
    await order({ kind: 'refuse' });
    const reply = await ask();
    expect(reply.status).toBe(403);
    expect(await reply.json()).toMatchObject({ status: 'error' });
  });

  it('lost-answer decides, and the answer is lost', async () => {
    await order({ kind: 'lost-answer' });
    await expect(ask()).rejects.toThrow();
    expect((await ask('validate')).status).toBe(200);
  });

  it('slow answers later than the asker cares for', async () => {
    await order({ kind: 'slow', delayMs: 60_000 });
    await expect(ask('activate', AbortSignal.timeout(50))).rejects.toThrow();
    await order({ kind: 'slow', delayMs: 1 });
    expect((await ask()).status).toBe(200);
  });
});

describe('the queue of faults', () => {
  it('counts down, keeps to its endpoint, and can be cleared', async () => {
    await order({ kind: 'unavailable', times: 2, endpoint: 'validate' });
    expect((await ask('activate')).status).toBe(200);
    expect((await ask('validate')).status).toBe(503);
    expect((await order({ kind: 'error-500', times: 9 })).body['faults']).toHaveLength(2);
    expect((await ask('validate')).status).toBe(503);
    expect((await ask('validate')).status).toBe(500);
    expect((await rig.control('faults', {}, 'DELETE')).body['faults']).toEqual([]);
    expect((await ask('validate')).status).toBe(200);
  });

  it('takes no fault it does not know', async () => {
    expect((await order({ kind: 'flood' })).status).toBe(422);
  });
});
