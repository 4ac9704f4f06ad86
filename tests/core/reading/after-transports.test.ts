import fc from 'fast-check';
import { expect, test } from 'vitest';

import { canonicalCode } from '#core/codes/code-spelling';
import { classifyInput } from '#core/codes/classify-input';
import { inspectText } from '#core/license/inspect/inspect';
import { nobleEngine } from '#core/keys/ed25519';
import { LICENSE_CLAIMS, NOW, pinned, token } from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';
import {
  gumroadForm,
  mailWithCode,
  mailWithLicense,
  mailWithoutCode,
} from '#tests/support/sent-mails';

const signer = makeSigner(7);
const context = { keys: [pinned(signer)], engine: nobleEngine(), now: NOW };
const options = { patterns: [gumroadForm] };

test('the code of a customer’s mail is found, it alone and whole, whatever the mail went through', () => {
  fc.assert(
    fc.property(mailWithCode, ({ text, code }) => {
      const input = classifyInput(text, options);
      expect(input.kind).toBe('codes');
      const found = input.kind === 'codes' ? input.codes.map((one) => canonicalCode(one.code)) : [];
      expect(found).toEqual([canonicalCode(code)]);
    }),
    { numRuns: 300, seed: 20261127 },
  );
});

test('the license of a customer’s mail is genuine, whatever the mail went through', async () => {
  await fc.assert(
    fc.asyncProperty(mailWithLicense(token(signer, LICENSE_CLAIMS)), async ({ text }) => {
      const { license } = await inspectText(text, context);
      expect(license).toMatchObject({ genuine: true });
    }),
    { numRuns: 200, seed: 20261127 },
  );
});

test('a customer’s mail without a code has none, whatever it went through', () => {
  fc.assert(
    fc.property(mailWithoutCode, ({ text }) => {
      expect(classifyInput(text, options).kind).toBe('nothing');
    }),
    { numRuns: 300, seed: 20261127 },
  );
});
