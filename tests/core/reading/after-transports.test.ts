import fc from 'fast-check';
import { expect, test } from 'vitest';

import { canonicalCode, classifyInput } from '#core/codes/index';
import { inspectText } from '#core/license/index';
import { nobleEngine } from '#core/keys/ed25519';
import {
  CERTIFICATE_CLAIMS,
  INSTALLATION,
  LICENSE_CLAIMS,
  member,
  NOW,
  pinned,
  token,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';
import {
  gumroadForm,
  mailWithCode,
  mailWithLicense,
  mailWithoutCode,
} from '#tests/support/sent-mails';
import { settingsWithCode } from '#tests/support/settings-files';

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

test('the code of settings, of a form and of a table is found whole, whatever stands around it', () => {
  fc.assert(
    fc.property(settingsWithCode, ({ text, code }) => {
      const input = classifyInput(text);
      const found = input.kind === 'codes' ? input.codes.map((one) => canonicalCode(one.code)) : [];
      expect(found).toEqual([canonicalCode(code)]);
    }),
    { numRuns: 500, seed: 20261130 },
  );
});

const license = token(signer, LICENSE_CLAIMS);
const inBase64 = (text: string, width = Infinity): string =>
  Buffer.from(text)
    .toString('base64')
    .replaceAll(new RegExp(`(.{${String(Math.min(width, 9999))}})(?=.)`, 'g'), '$1\r\n');
const defended = (link: string): string =>
  `Open https://urldefense.com/v3/__${link.replaceAll('#', '*')}__;Iw!!AbC_d!e-F$ now.`;

test.each([
  ['a defended link of version 3', defended(`https://shop.test/?license=${license}`)],
  ['the fragment of a defended link', defended(`https://shop.test/a#license=${license}`)],
  ['hyphens at line ends', license.replaceAll(/(.{64})(?=.)/g, '$1-\n')],
  ['typographic hyphens in a reply', `> ${license.replaceAll(/(.{70})(?=.)/g, '$1\u2010\n> ')}`],
  [
    'numbers before its lines',
    license.replaceAll(/(.{1,60})/g, '$1\n').replaceAll(/^(?=.)/gm, '7  '),
  ],
  ['the number of a page', license.replaceAll(/(.{70})(?=.)/g, '$1\n').replace('\n', '\n2 / 3\n')],
  [
    'the name of a page and a form feed',
    license.replaceAll(/(.{70})(?=.)/g, '$1\r\n').replace('\r\n', '\r\n- Page 2 of 3 -\r\n\f'),
  ],
  [
    'Rich Text',
    String.raw`{\rtf1\ansi\pard License:\par ${license.replaceAll('-', String.raw`\_`)}\par}`,
  ],
  ['two messages of a chat', license.replaceAll(/^|(?<=^.{120})/g, '\n[03.11.26, 10:02:51] Ann: ')],
  [
    'two messages of another chat',
    license.replaceAll(/^|(?<=^.{120})/g, '\n03/11/26, 10:02 - Ann: '),
  ],
  ['numbered messages', `(1/2)${license.slice(0, 120)}\n(2/2)${license.slice(120)}`],
  ['numbered messages without an end', `1/ ${license.slice(0, 120)}\n2/ ${license.slice(120)}`],
  ['lines behind a name', license.replaceAll(/^|(?<=^(?:.{60})+)/g, '\nAnn> ')],
  ['lines behind initials', license.replaceAll(/^|(?<=^(?:.{60})+)/g, '\nAB> ')],
  ['a framed cell', license.replaceAll(/.{1,60}/g, '| $& |\n')],
  ['a cell in a drawn frame', license.replaceAll(/.{1,60}/g, '│ $&   │\n')],
  ['lines that a comparison adds', license.replaceAll(/^|(?<=^(?:.{60})+)/g, '\n+')],
  ['folded lines behind a name', `NOTE:${license.replaceAll(/(.{70})(?=.)/g, '$1\r\n ')}`],
  ['a file in base64', inBase64(JSON.stringify({ license }))],
  ['a token in base64', inBase64(`${license}\n`)],
  ['a file in base64 in a mail', `Hi,\n${inBase64(JSON.stringify({ license }), 76)}\n\nAda`],
  ['a file in base64 above a word', `Hi,\n${inBase64(`{"license":"${license}"} `, 64)}\nThanks`],
  ['strings of PowerShell', `$key = "${license.replaceAll(/.{60}/g, '$&" + `\n  "')}"`],
  ['the data of a link', `<a href="data:text/plain;base64,${inBase64(license)}">orbit.lic</a>`],
])('a license is genuine after %s', async (_name, text) => {
  expect(classifyInput(text)).toEqual({ kind: 'license' });
  expect((await inspectText(text, context)).license).toMatchObject({ genuine: true });
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

const state = JSON.stringify(
  {
    license,
    installation_id: INSTALLATION,
    activation_certificate: JSON.parse(member(signer, CERTIFICATE_CLAIMS)) as unknown,
  },
  undefined,
  2,
);

test('the installation state of a customer’s mail is active, whatever the mail went through', async () => {
  await fc.assert(
    fc.asyncProperty(mailWithLicense(state), async ({ text }) => {
      expect(await inspectText(text, context)).toMatchObject({ standing: 'activated' });
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
