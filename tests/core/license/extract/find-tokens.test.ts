import { describe, expect, it } from 'vitest';

import { encodeBase64Url } from '#core/license/encoding/base64url';
import { utf8 } from '#core/license/encoding/bytes';
import { findArtifacts } from '#core/license/extract/find-artifacts';
import { findTokens } from '#core/license/extract/find-tokens';

const signature = encodeBase64Url(new Uint8Array(64).fill(7));
const payload = encodeBase64Url(utf8('{"license_id":"L-1","product_slug":"orbit"}'));
const token = `${payload}.${signature}`;
const tokensIn = (text: string): string[] => findTokens(text).map(({ text: found }) => found);
const repairsOf = (text: string): Record<string, number> =>
  Object.fromEntries(findArtifacts(text).repairs.map(({ id, count }) => [id, count]));

describe('a token', () => {
  it.each([
    ['alone', token, token],
    ['with a full stop', `${token}.`, `${token}.`],
    ['with an ellipsis', `${token}...`, token],
    ['between words', `see ${token} there`, token],
    ['after a word with a dot', `it is on shop.example ${token}`, token],
    [
      'in classic base64',
      `${payload}==.${signature.replaceAll('_', '/').replaceAll('-', '+')}==`,
      `${payload}==.${signature.replaceAll('_', '/').replaceAll('-', '+')}==`,
    ],
    ['broken before its dot', `${payload}\n.${signature}`, `${payload}\n.${signature}`],
    ['broken after its dot', `${payload}.\n${signature}`, `${payload}.\n${signature}`],
    [
      'broken by a shell',
      `${payload.slice(0, 20)}\\\n${payload.slice(20)}.${signature}`,
      `${payload.slice(0, 20)}\\\n${payload.slice(20)}.${signature}`,
    ],
  ])('is found with its stretch: %s', (_name, text, stretch) => {
    const from = text.indexOf(stretch);
    expect(findTokens(text)).toEqual([{ text: token, from, to: from + stretch.length }]);
  });

  it('without JSON begins where lines of one length begin', () => {
    const opaque = encodeBase64Url(
      utf8('Licensed to the harbour, order 4711, for one single site.'),
    );
    const lines = `${opaque.slice(0, 30)}\n${opaque.slice(30, 60)}\n${opaque.slice(60)}.${signature}`;
    expect(tokensIn(lines)).toEqual([`${opaque}.${signature}`]);
    expect(tokensIn(`word\n${lines}`)).toEqual([`${opaque}.${signature}`]);
    expect(tokensIn(`x ${lines}`)).toEqual([`${opaque.slice(30)}.${signature}`]);
    const short = `${opaque.slice(0, 15)}\n${opaque.slice(15, 30)}\n${opaque.slice(30)}.${signature}`;
    expect(tokensIn(short)).toEqual([`${opaque.slice(30)}.${signature}`]);
  });

  it('is none without a signature of 86 letters', () => {
    for (const other of [signature.slice(1), `${signature}A`, `${signature.slice(0, -1)}B`]) {
      expect(tokensIn(`order.${other}`)).toEqual([]);
    }
  });

  it('that is damaged is kept where it begins like JSON and is long enough', () => {
    const cut = `${payload}.${signature.slice(0, 40)}`;
    expect(tokensIn(cut)).toEqual([cut]);
    expect(tokensIn(`${cut}\n${token}`)).toEqual([cut, token]);
    expect(tokensIn(`${token}\n${cut}`)).toEqual([token, cut]);
    expect(tokensIn(`x${cut}`)).toEqual([]);
    expect(tokensIn(payload)).toEqual([]);
    expect(tokensIn(`${payload.slice(0, 38)}.`)).toEqual([]);
    expect(tokensIn(`eyJh.${'b'.repeat(35)}`)).toEqual([`eyJh.${'b'.repeat(35)}`]);
    expect(tokensIn(`eyJh.${'b'.repeat(34)}`)).toEqual([]);
  });

  it('is found beside a JWS, each for itself', () => {
    const jws = `${encodeBase64Url(utf8('{"alg":"EdDSA"}'))}.${token}`;
    expect(tokensIn(`${jws}\n${token}`)).toEqual([jws, token]);
    expect(tokensIn(`${token} ${jws}`)).toEqual([token, jws]);
  });
});

describe('what was put right about a token is counted', () => {
  const [first, second] = [payload.slice(0, 20), payload.slice(20)];

  it.each([
    ['nothing', token, {}],
    ['line breaks', `${first}\r\n${second}\n.${signature}`, { 'line-breaks': 2 }],
    [
      'quoted lines',
      `> ${first}\n> > ${second}.${signature}`,
      { 'line-breaks': 1, 'mail-quotes': 2, spaces: 1 },
    ],
    ['spaces', `${first} ${second}.${signature}`, { spaces: 1 }],
    ['padding inside and after', `${payload}==.${signature}==`, { padding: 2 }],
    ['a label', `Key = ${token}`, { label: 1 }],
    ['a name in JSON', `"key": "${token}"`, { 'quotation-marks': 1 }],
    ['quotation marks', `«${token}»`, { 'quotation-marks': 1 }],
    ['a bracket', `(${token})`, { 'quotation-marks': 1 }],
    ['three words', `here it is ${token}`, {}],
    ['four words', `so here it is ${token}`, { 'surrounding-text': 1 }],
    ['words after it', `here ${token} it is denied`, { 'surrounding-text': 1 }],
  ])('%s', (_name, text, repairs) => {
    expect(repairsOf(text)).toEqual(repairs);
  });
});
