import { describe, expect, test } from 'vitest';

import { holdsLicense, isWhollyLicense } from '#core/check/license-token';

const payload = 'eyJsaWNlbnNlIjox';
const signature = 'Aa0_-'.repeat(12);
const token = `${payload}.${signature}`;

describe('a text that is a license and nothing else', () => {
  test.each([
    ['a token with the shortest payload and signature', token],
    ['a token with spaces around it', `  ${token}\n`],
    ['a token with a dot after it', `${token}.`],
    [
      'a token in lines of 40',
      `${'a'.repeat(40)}\n\n${'a'.repeat(20)}.${signature.slice(0, 30)}\n${signature.slice(30)}`,
    ],
    ['JSON with spaces around it', ' {"license": "x"} '],
    ['JSON with a space before the colon', '{"signature" : "x"}'],
  ])('%s', (_name, text) => {
    expect(isWhollyLicense(text)).toBe(true);
  });

  test.each([
    ['a payload that is too short', `${payload.slice(1)}.${signature}`],
    ['a signature that is too short', `${payload.repeat(3)}.${signature.slice(1)}`],
    ['a word without a dot', 'a'.repeat(100)],
    ['four segments', `a.b.${token}`],
    [
      'lines that are as short as words',
      `${token.slice(0, 39)}\n${token.slice(39, 70)}\n${token.slice(70)}`,
    ],
    ['JSON that is cut off', '{"license": "x"'],
    ['JSON without its beginning', '"license": "x"}'],
    ['JSON with other fields', '{"code": "x"}'],
  ])('not %s', (_name, text) => {
    expect(isWhollyLicense(text)).toBe(false);
  });
});

describe('a text with a license in it', () => {
  test.each([
    ['a token in a sentence', `My license (${token}), is it denied?`],
    ['a token at the end of a sentence', `Is this denied? ${token}.`],
    ['an armoured block', 'See: -----BEGIN HARBOUR 2 LICENSE-----'],
  ])('%s', (_name, text) => {
    expect(isWhollyLicense(text)).toBe(false);
    expect(holdsLicense(text)).toBe(true);
  });

  test.each([
    ['words alone', 'My license, is it denied?'],
    [
      'a token whose signature is too short',
      `My license (${payload.repeat(3)}.${signature.slice(1)})`,
    ],
    ['another armoured block', '-----BEGIN PUBLIC KEY-----'],
  ])('not %s', (_name, text) => {
    expect(holdsLicense(text)).toBe(false);
  });
});
