import { describe, expect, test } from 'vitest';

import { encodeBase64Url, utf8 } from '#core/encoding/index';
import { findArtifacts } from '#core/license/extract/find-artifacts';
import { licenseOnPage } from '#core/ticket/page-text';

const payload = 'eyJsaWNlbnNlX2lkIjoiTC0xIiwicHJvZHVjdF9zbHVnIjoib3JiaXQifQ';
const license = `${payload}.${'A'.repeat(86)}`;
const certificate = `${payload}.${'B'.repeat(86)}`;

test.each([
  ['among words', `My license is ${license}, thanks.`, license],
  ['on a line of its own', `Hello\n\n${license}\n\nRegards`, license],
  ['in JSON', `{ "license": "${license}" }`, license],
  ['beside its certificate', `${license}\n${certificate}`, `${license}\n${certificate}`],
  ['twice', `${license} and once more ${license}`, license],
])('a license is found %s', (_, text, found) => {
  expect(licenseOnPage(text)).toBe(found);
});

/** Breaks a token into lines as mail programs do. */
const brokenAt = (width: number, token: string): string =>
  (token.match(new RegExp(`.{1,${String(width)}}`, 'g')) ?? []).join('\n');

describe.each([60, 64, 69, 72, 73, 76, 78, 100])(
  'broken at %i letters, the verifier reads',
  (width) => {
    const signed = (claims: object, byte: number): string =>
      [utf8(JSON.stringify(claims)), new Uint8Array(64).fill(byte)].map(encodeBase64Url).join('.');
    const first = signed({ license_id: 'L-1', product_slug: 'orbit' }, 1);
    const [second, third] = ['L-2', 'L-3'].map((license_id, at) =>
      signed({ license_id, product_slug: 'orbit', buyer: 'Ada' }, at + 2),
    ) as [string, string];
    const [one, two, three] = [first, second, third].map((token) => brokenAt(width, token)) as [
      string,
      string,
      string,
    ];

    test.each([
      ['one before an empty line', `Hello\n${one}\n\nRegards`, [first]],
      ['one before a word', `Hello\n${one}\nThanks\nAda Miller`, [first]],
      ['one with spaces around its lines', `Hello\n ${one.replaceAll('\n', ' \n ')}\n`, [first]],
      ['one at the end of the text', one, [first]],
      ['one straight after another word', `word\n${one}\n\n`, [first]],
      ['two, one straight after the other', `Hello\n${one}\n${two}\nThanks`, [first, second]],
      ['three', `${three}\n${one}\n${two}`, [third, first, second]],
    ])('%s', (_, text, tokens) => {
      const { artifacts } = findArtifacts(licenseOnPage(text) ?? '');
      expect(artifacts.map((artifact) => 'raw' in artifact && artifact.raw)).toEqual(tokens);
    });
  },
);

test('an armoured block is found whole', () => {
  const block = `-----BEGIN LICENSE-----\n${license}\n-----END LICENSE-----`;
  expect(licenseOnPage(`Hello\n${block}\nRegards`)).toContain(block);
});

test.each([
  '',
  'Please find my license attached.',
  'a.b '.repeat(1000),
  `https://desk.example/static/${'a'.repeat(40)}.js`,
  `${'word'.repeat(20)}\n${'other'.repeat(20)}`,
  '31ccb384-5d0a-4bd8-a6f2-2d4c3b0a9e11',
  '-----BEGIN LICENSE-----',
])('there is none in %j', (text) => {
  expect(licenseOnPage(text)).toBeUndefined();
});

test('what goes to the verifier is limited', () => {
  const many = Array.from({ length: 5000 }, (_, at) => `${payload}${String(at)}.${'A'.repeat(86)}`);
  expect(licenseOnPage(many.join(' '))).toHaveLength(262_144);
});
