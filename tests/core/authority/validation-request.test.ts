import { afterAll, beforeAll, expect, test } from 'vitest';

import { validationRequestOf } from '#core/authority/validation-request';
import { chooseEngine } from '#core/keys/ed25519';
import { inspectText, type Inspection } from '#core/license/index';
import { fail, succeed } from '#core/result';
import { pin } from '#tests/core/installation/site';
import { type Rig, startRig } from '#tests/sandbox/authority/authority-harness';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const sample = async (name: string): Promise<string> =>
  (await fetch(`${rig.origin}/samples/${name}`)).text();

async function inspectionOf(text: string): Promise<Inspection> {
  const engine = await chooseEngine();
  return inspectText(text, { now: Date.now(), keys: [pin(rig.publicKey.pem)], engine });
}

test('a whole bundle asks in its own words', async () => {
  const text = await sample('activated-bundle.json');
  const state = JSON.parse(text) as Record<string, string>;
  const question = validationRequestOf(await inspectionOf(text), {});
  expect(question).toMatchObject(
    succeed({
      key: 'sandbox',
      licenseId: 'sample-bundle',
      request: {
        license: state['license'],
        domain: 'shop.example.com',
        productSlug: 'aurora-theme',
        installationId: state['installation_id'],
      },
    }),
  );
});

test('what the installation itself says goes before its certificate', async () => {
  const text = await sample('activated-wrong-domain.json');
  const question = validationRequestOf(await inspectionOf(text), { domain: 'ticket.example' });
  expect(question).toMatchObject({ value: { request: { domain: 'staging.example.net' } } });
});

test('a license alone is completed from the ticket, capitals and all', async () => {
  const inspection = await inspectionOf(await sample('not-activated-license.lic'));
  expect(validationRequestOf(inspection, {})).toEqual(
    fail({ kind: 'missing', fields: ['domain', 'installationId'] }),
  );
  const expected = {
    domain: 'https://Shop.Example.com/admin',
    installationId: '6F1B3C0E-0000-4000-8000-000000000001',
  };
  expect(validationRequestOf(inspection, expected)).toMatchObject({
    value: {
      request: {
        domain: 'shop.example.com',
        installationId: '6f1b3c0e-0000-4000-8000-000000000001',
      },
    },
  });
});

test('what is not genuine is asked about nowhere', async () => {
  for (const name of ['unverified-tampered-license.lic', 'activated-certificate.cert']) {
    expect(validationRequestOf(await inspectionOf(await sample(name)), {})).toEqual(
      fail({ kind: 'not-genuine' }),
    );
  }
});
