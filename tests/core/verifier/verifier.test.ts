import { expect, test } from 'vitest';

import { succeed } from '#core/result';
import { createVerifier } from '#core/verifier/verifier';
import type { InspectionContext } from '#core/verifier/verifier-request';
import { LICENSE_CLAIMS, NOW, pinned, token } from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const signer = makeSigner(1);
const verifier = createVerifier();
const context: InspectionContext = {
  now: NOW,
  keys: [pinned(signer)],
  expected: {},
  unreached: false,
};

test('many documents are judged in their order', async () => {
  const ids = Array.from({ length: 25 }, (_, at) => `L-${String(at)}`);
  const sources = ids.map((id) => ({ text: token(signer, { ...LICENSE_CLAIMS, license_id: id }) }));
  const summaries = await verifier.answer({ ask: 'inspect-many', sources, context });
  expect(summaries.map(({ licenseId }) => licenseId)).toEqual(ids);
  expect(await verifier.answer({ ask: 'inspect-many', sources: [], context })).toEqual([]);
});

test('one document is judged whole', async () => {
  const source = { text: token(signer, LICENSE_CLAIMS) };
  const { inspection } = await verifier.answer({ ask: 'inspect', source, context });
  expect(inspection).toMatchObject({ standing: 'not-activated', license: { genuine: true } });
});

test('a key is read, and what is none is refused', async () => {
  const { raw, fingerprint } = pinned(signer);
  expect(await verifier.answer({ ask: 'read-key', source: raw })).toMatchObject(
    succeed({ raw, fingerprint }),
  );
  expect(await verifier.answer({ ask: 'read-key', source: 'no key' })).toMatchObject({ ok: false });
});
