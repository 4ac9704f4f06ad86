import { expect, test } from 'vitest';

import { type Inspection, inspectText } from '#core/license/index';
import { webCryptoEngine } from '#core/keys/ed25519';
import { customerNamesOf } from '#stores/verifier/ticket-fields';
import {
  CERTIFICATE_CLAIMS,
  INSTALLATION,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const signer = makeSigner(1);
const inspect = (file: object | string): Promise<Inspection> =>
  inspectText(typeof file === 'string' ? file : JSON.stringify(file), {
    keys: [pinned(signer)],
    engine: webCryptoEngine(crypto.subtle),
    now: NOW,
  });
const namesIn = async (...files: (object | string)[]): Promise<string[]> =>
  [...customerNamesOf(await Promise.all(files.map(inspect)))].toSorted();

const license = token(signer, { ...LICENSE_CLAIMS, domain: 'Own.example.com' });
const certificate = token(signer, CERTIFICATE_CLAIMS);

test('licenses, installations and domains are named, in lower case and once', async () => {
  expect(await namesIn({ license, activation_certificate: certificate })).toEqual([
    'domain own.example.com',
    'domain shop.example.com',
    `installation ${INSTALLATION}`,
    'license l-1001',
  ]);
});

test('so are those of a file’s own fields, and of documents that are not genuine', async () => {
  const foreign = token(makeSigner(2), LICENSE_CLAIMS);
  const own = '11111111-8a4c-7e52-9d10-5f2f6f3c1a77';
  expect(
    await namesIn({ license: foreign, domain: 'stated.example.com', installation_id: own }),
  ).toEqual(['domain stated.example.com', `installation ${own}`, 'license l-1001']);
});

test('of several documents all names count, and of none, none', async () => {
  expect(await namesIn(license, certificate)).toHaveLength(4);
  expect(await namesIn('nothing')).toEqual([]);
  expect(await namesIn()).toEqual([]);
});
