import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Answer, type Rig, startRig } from '#tests/sandbox/authority/authority-harness';
import { judgeByTheBook } from '#tests/sandbox/samples/judge';

let folder: string;
let rig: Rig;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'samples-'));
  rig = await startRig(join(folder, 'sandbox.db'));
});
afterAll(async () => {
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
});

const download = async (name: string): Promise<Record<string, unknown>> => {
  const reply = await fetch(`${rig.origin}/samples/${name}`);
  expect(reply.headers.get('Content-Disposition')).toBe(`attachment; filename="${name}"`);
  return (await reply.json()) as Record<string, unknown>;
};
const validate = (state: Record<string, unknown>): Promise<Answer> =>
  rig.post('/api/license/v1/validate', state);

describe('a sample that was downloaded', () => {
  it.each(['activated', 'validation-due', 'grace', 'denied'])(
    'as %s can be asked about at the authority',
    async (standing) => {
      const state = await download(`${standing}-bundle.json`);
      expect((await validate(state)).status).toBe(200);
    },
  );

  it('is refused when its name says that it was revoked', async () => {
    expect(await validate(await download('activated-revoked-since.json'))).toMatchObject({
      status: 403,
      body: { msg: 'This license has been revoked: the purchase was refunded.' },
    });
  });

  it('may be downloaded again', async () => {
    await download('activated-bundle.json');
    expect((await validate(await download('activated-bundle.json'))).status).toBe(200);
  });

  it('is refused from another domain', async () => {
    await download('activated-bundle.json');
    expect((await validate(await download('activated-wrong-domain.json'))).status).toBe(409);
  });

  it('has a name that is known', async () => {
    expect((await fetch(`${rig.origin}/samples/activated-nothing.json`)).status).toBe(404);
  });
});

describe('npm run samples', () => {
  it('writes the folder, the batch and the public key while the authority runs', async () => {
    const target = join(folder, 'out');
    const command = ['sandbox/samples/main.ts', target, '--db', join(folder, 'sandbox.db')];
    await promisify(execFile)(process.execPath, command);

    const pem = readFileSync(join(target, 'public-key.pem'), 'utf8');
    expect(pem).toBe(rig.publicKey.pem);
    expect(readdirSync(join(target, 'batch'))).toHaveLength(1000);
    const bundle = readFileSync(join(target, 'grace-bundle.json'), 'utf8');
    expect(judgeByTheBook(bundle, pem, Date.now())).toBe('grace');
    expect((await validate(JSON.parse(bundle) as Record<string, unknown>)).status).toBe(200);
  });
});
