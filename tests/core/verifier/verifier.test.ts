import { expect, test } from 'vitest';

import { succeed } from '#core/result';
import { createVerifier } from '#core/verifier/verifier';
import type { InspectionContext } from '#core/verifier/verifier-request';
import {
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  member,
  NOW,
  pinned,
  token,
} from '#tests/core/license/documents';
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

test('a list in Latin-1 is judged as each of its documents is', async () => {
  const line = member(signer, { ...CERTIFICATE_CLAIMS, buyer: 'Jürgen Müller' });
  const file = new Blob([Buffer.from(`${line}\n`.repeat(12), 'latin1')]);
  const opened = await verifier.answer({ ask: 'open', files: [file], context });
  if (opened.as !== 'list') return expect.fail('It is a list.');
  const sources = Array.from({ length: opened.lines.count }, (_, at) => {
    const [, from = 0, to = 0] = opened.lines.ranges.subarray(at * 3);
    return { file, from, to };
  });
  const [source] = sources;
  if (source === undefined) return expect.fail('It has lines.');
  const { inspection } = await verifier.answer({ ask: 'inspect', source, context });
  const summaries = await verifier.answer({ ask: 'inspect-many', sources, context });
  expect(inspection.standing).toBe('activated');
  expect(new Set(summaries.map(({ standing }) => standing))).toEqual(new Set(['activated']));
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
