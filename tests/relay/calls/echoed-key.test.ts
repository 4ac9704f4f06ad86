import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { holdsKey } from '#relay/calls/echoed-key';

const key = `ab/cd+ef="!'()~&<>%41\\.${'x'.repeat(8)}`;
const holds = (text: string, apiKey = key): boolean => holdsKey(Buffer.from(text), apiKey);

const hex = (sign: string, digits: number): string =>
  sign.charCodeAt(0).toString(16).padStart(digits, '0');
const eachSign = (text: string, write: (sign: string) => string): string =>
  text.replaceAll(/[^a-z0-9]/gi, write);

/** Spellings of a text by what servers are written in. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  JSON: (text) => JSON.stringify(text),
  'json_encode of PHP': (text) => JSON.stringify(text).replaceAll('/', String.raw`\/`),
  'JSON with \\u escapes': (text) => eachSign(text, (sign) => String.raw`\u${hex(sign, 4)}`),
  'JSON with \\u escapes in capitals': (text) =>
    eachSign(text, (sign) => String.raw`\u${hex(sign, 4).toUpperCase()}`),
  'a string of JavaScript': (text) => eachSign(text, (sign) => String.raw`\x${hex(sign, 2)}`),
  encodeURIComponent: encodeURIComponent,
  URLSearchParams: (text) => new URLSearchParams({ api_key: text }).toString(),
  'percent escapes in small letters': (text) => eachSign(text, (sign) => `%${hex(sign, 2)}`),
  'percent escapes of every character': (text) =>
    text.replaceAll(/./g, (sign) => `%${hex(sign, 2)}`),
  'htmlspecialchars of PHP': (text) =>
    text.replaceAll(
      /[&<>"']/g,
      (sign) =>
        ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' })[sign] ?? '',
    ),
  'decimal entities': (text) => eachSign(text, (sign) => `&#${String(sign.charCodeAt(0))};`),
  'hexadecimal entities': (text) => eachSign(text, (sign) => `&#x${hex(sign, 2).toUpperCase()};`),
  'named entities': (text) =>
    text.replaceAll('&', '&amp;').replaceAll('/', '&sol;').replaceAll('+', '&plus;'),
  'addslashes of PHP': (text) => text.replaceAll(/["'\\]/g, String.raw`\$&`),
};

/** Encodings of whole texts, of which the key is a part. */
const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  base64: (text) => Buffer.from(Buffer.from(text).toString('base64')),
  base64url: (text) => Buffer.from(Buffer.from(text).toString('base64url')),
  hexadecimal: (text) => Buffer.from(Buffer.from(text).toString('hex')),
  'hexadecimal in capitals': (text) => Buffer.from(Buffer.from(text).toString('hex').toUpperCase()),
  'UTF-16, little end first': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16, big end first': (text) => Buffer.from(text, 'utf16le').swap16(),
};

describe('a key is found', () => {
  test('by the token behind its public key, which is no secret', () => {
    const [publicKey, token] = ['0f'.repeat(16), 'a1b2'.repeat(8)];
    const pair = `${publicKey}:${token}`;
    expect(holds(JSON.stringify({ posted: { token } }), pair)).toBe(true);
    expect(holds(JSON.stringify({ posted: { key: publicKey } }), pair)).toBe(false);
  });

  test.each(Object.entries(encodings))('in %s, whatever stands around it', (_name, encode) => {
    const visible = fc.string({ minLength: 12, maxLength: 40, unit: 'grapheme-ascii' });
    const around = fc.string({ unit: 'binary-ascii', maxLength: 5 });
    fc.assert(
      fc.property(visible, around, around, (apiKey, before, after) =>
        holdsKey(encode(before + apiKey + after), apiKey),
      ),
    );
  });

  test('in an encoding inside an escape', () => {
    const spelt = Buffer.from(key).toString('base64').replaceAll('+', '%2B').replaceAll('/', '%2F');
    expect(holds(spelt)).toBe(true);
    expect(holds(JSON.stringify(Buffer.from(key, 'utf16le').toString('hex')))).toBe(false);
  });

  test.each(Object.entries(spellings))('in %s', (_name, spell) => {
    expect(holds(`before ${spell(key)} after`)).toBe(true);
    expect(holds(spell(JSON.stringify({ debug: { api_key: key } })))).toBe(true);
  });

  test('in two spellings one inside the other', () => {
    for (const [outer, spellOuter] of Object.entries(spellings)) {
      for (const [inner, spellInner] of Object.entries(spellings)) {
        expect(holds(spellOuter(spellInner(key))), `${inner} in ${outer}`).toBe(true);
      }
    }
  });

  test('whatever it is made of, in every spelling', () => {
    // What looks like escapes in a key may be read as such, so that twelve characters must be left of it.
    const visible = fc
      .string({
        unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
        maxLength: 40,
      })
      .map((start) => start + 'k'.repeat(12));
    fc.assert(
      fc.property(visible, fc.constantFrom(...Object.values(spellings)), (apiKey, spell) =>
        holds(`{"api_key":"${spell(apiKey)}"}`, apiKey),
      ),
    );
  });
});

describe('a key is not found', () => {
  test('in a text that holds another', () => {
    const other = key.replace('cd', 'ce');
    for (const spell of Object.values(spellings)) expect(holds(spell(other))).toBe(false);
  });

  test('in text that breaks off inside an escape', () => {
    for (const text of ['', '\\', '%', '%4', '&', '&#', '&#x', '&amp', '\\u00', '\\x4', '&#x;']) {
      expect(holds(text), text).toBe(false);
    }
  });

  test('when it is so short that it may be a word', () => {
    expect(holds('Lantern for WordPress', 'WordPress')).toBe(false);
    // Twelve characters that stand for four.
    expect(holds('AAA%41', '%41%41%41%41')).toBe(false);
  });
});

test('a text of many megabytes is read whole', () => {
  const text = `${'\\/&amp;%25'.repeat(400_000)}${JSON.stringify(key)}`;
  expect(holds(text)).toBe(true);
});
