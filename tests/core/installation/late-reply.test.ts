import { beforeEach, describe, expect, it } from 'vitest';

import { createInstallation, type Installation } from '#core/installation/installation';
import {
  createMemoryVault,
  type LicenseRequest,
  type TransportFault,
  type Vault,
} from '#core/installation/ports';
import { webCryptoEngine } from '#core/keys/ed25519';
import { fail, type Result, succeed } from '#core/result';
import type { RawReply } from '#core/http/exchange';
import { LICENSE_CLAIMS, pinned, token } from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const second = 1000;
const day = 86_400_000;
const start = Date.UTC(2026, 10, 2, 9);
const due = start + 7 * day;
const signer = makeSigner(1);
const license = token(signer, LICENSE_CLAIMS);

type Reply = Result<RawReply, TransportFault>;

/** A program over a shared vault, whose next calls are answered by hand. */
interface Program {
  readonly installation: Installation;
  /** Answers the oldest call that waits, with a certificate of a moment, a refusal or an outage. */
  answer(with_: number | 'refused' | 'offline'): Promise<void>;
}

function startProgram(vault: Vault): Program {
  const waiting: { request: LicenseRequest; reply: (reply: Reply) => void }[] = [];
  const ask = (request: LicenseRequest): Promise<Reply> =>
    new Promise((reply) => waiting.push({ request, reply }));
  return {
    installation: createInstallation({
      authority: { activate: ask, validate: ask },
      vault,
      keys: [pinned(signer)],
      domain: 'shop.example.com',
      productSlug: 'harbour-theme',
      engine: webCryptoEngine(crypto.subtle),
    }),
    async answer(with_) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      const call = waiting.shift();
      if (call === undefined) throw new Error('nobody asks');
      call.reply(replyOf(call.request, with_));
    },
  };
}

function replyOf({ domain, installationId }: LicenseRequest, with_: number | string): Reply {
  if (with_ === 'offline') return fail({ kind: 'offline' });
  const iso = (at: number): string => new Date(at).toISOString();
  const said =
    typeof with_ === 'string'
      ? { status: 'error', msg: 'revoked' }
      : {
          activation_certificate: token(signer, {
            domain,
            installation_id: installationId,
            issued_at: iso(with_),
            next_validation_at: iso(with_ + 7 * day),
            grace_until: iso(with_ + 21 * day),
          }),
        };
  const body = new TextEncoder().encode(JSON.stringify(said));
  return succeed({
    status: with_ === 'refused' ? 403 : 200,
    contentType: 'application/json',
    body,
  });
}

let first: Program;
let later: Program;
beforeEach(async () => {
  const vault = createMemoryVault();
  [first, later] = [startProgram(vault), startProgram(vault)];
  const activated = first.installation.activate(license, start);
  await first.answer(start);
  expect(await activated).toMatchObject({ ok: true });
});

describe('an answer that arrives after the answer to a later question', () => {
  it('leaves the later refusal', async () => {
    const held = first.installation.permit(due);
    const asked = later.installation.permit(due + 2 * second);
    await later.answer('refused');
    expect(await asked).toMatchObject({ standing: 'denied' });
    await first.answer(due);
    expect(await held).toMatchObject({ standing: 'denied', refusal: { msg: 'revoked' } });
    const third = later.installation.permit(due + 3 * second);
    expect(await third).toMatchObject({ standing: 'denied', allowed: false });
  });

  it('leaves the newer certificate', async () => {
    const held = first.installation.permit(due);
    const asked = later.installation.permit(due + 2 * second);
    await later.answer(due + 2 * second);
    await asked;
    await first.answer(due);
    expect(await held).toMatchObject({ certificate: { issuedAt: due + 2 * second } });
    const third = later.installation.permit(due + 3 * second);
    expect(await third).toMatchObject({ certificate: { issuedAt: due + 2 * second } });
  });

  it('does not activate what was refused since', async () => {
    const held = first.installation.activate(license, due);
    const asked = later.installation.permit(due + 2 * second);
    await later.answer('refused');
    await asked;
    await first.answer(due);
    expect(await held).toMatchObject(fail({ kind: 'refused', msg: 'revoked' }));
  });

  it('names its certificate as older where one was activated since', async () => {
    const held = first.installation.activate(license, due);
    const asked = later.installation.activate(license, due + 2 * second);
    await later.answer(due + 2 * second);
    await asked;
    await first.answer(due);
    expect(await held).toEqual(fail({ kind: 'older-certificate' }));
  });
});

describe('a certificate that arrives late and is the newer one', () => {
  it('counts where another certificate was stored meanwhile', async () => {
    const held = first.installation.permit(due);
    const asked = later.installation.permit(due + 2 * second);
    await later.answer(due);
    await asked;
    await first.answer(due + second);
    expect(await held).toMatchObject({ certificate: { issuedAt: due + second } });
  });

  it('counts where an earlier question was refused meanwhile', async () => {
    const asked = first.installation.permit(due);
    const held = later.installation.permit(due + 2 * second);
    await first.answer('refused');
    expect(await asked).toMatchObject({ standing: 'denied' });
    await later.answer(due + 2 * second);
    expect(await held).toMatchObject({ standing: 'activated' });
  });

  it('counts after a refusal that was known before, of a clock that stood later', async () => {
    const asked = first.installation.permit(due + day);
    await first.answer('refused');
    expect(await asked).toMatchObject({ standing: 'denied' });
    const again = later.installation.permit(due);
    await later.answer(due);
    expect(await again).toMatchObject({ allowed: true });
  });

  it('replaces another license’s refusal', async () => {
    const other = token(signer, { ...LICENSE_CLAIMS, license_id: 'lic_other' });
    const held = first.installation.activate(other, due);
    const asked = later.installation.permit(due + 2 * second);
    await later.answer('refused');
    await asked;
    await first.answer(due);
    expect(await held).toMatchObject(succeed({ standing: 'activated' }));
  });
});
