import { describe, expect, it } from 'vitest';

import { encodeBase64Url, utf8 } from '#core/encoding/index';
import { findArtifacts } from '#core/license/extract/find-artifacts';
import { findTokens } from '#core/license/extract/find-tokens';

const signature = encodeBase64Url(new Uint8Array(64).fill(7));
const payload = encodeBase64Url(utf8('{"license_id":"L-1","product_slug":"orbit"}'));
const token = `${payload}.${signature}`;
const opaque = encodeBase64Url(utf8('Licensed to the harbour, order 4711, for one single site.'));
/** `opaque` and its signature, in lines of 30 letters. */
const opaqueLines = `${opaque.slice(0, 30)}\n${opaque.slice(30, 60)}\n${opaque.slice(60)}.${signature}`;
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
    expect(findTokens(text)).toEqual([
      { text: token, from, to: from + stretch.length, isDocument: true },
    ]);
  });

  it('without JSON begins where lines of one length begin', () => {
    expect(tokensIn(opaqueLines)).toEqual([`${opaque}.${signature}`]);
    expect(tokensIn(`word\n${opaqueLines}`)).toEqual([`${opaque}.${signature}`]);
    expect(tokensIn(`x ${opaqueLines}`)).toEqual([`${opaque.slice(30)}.${signature}`]);
    const short = `${opaque.slice(0, 15)}\n${opaque.slice(15, 30)}\n${opaque.slice(30)}.${signature}`;
    expect(tokensIn(short)).toEqual([`${opaque.slice(30)}.${signature}`]);
  });

  it('without JSON is found with the full stop of a sentence', () => {
    expect(tokensIn(`${opaque}.${signature}.`)).toEqual([`${opaque}.${signature}`]);
  });

  it('ends with its sentence: letters as many as a signature has, after it, are no other one', () => {
    const broken = `${token.slice(0, -20)} ${token.slice(-20)}`;
    expect(tokensIn(`${broken}. ${signature}`)).toEqual([token]);
  });

  it('without JSON is found when a line end stands before its dot', () => {
    const broken = `${opaque}\n.${signature}`;
    expect(tokensIn(`see ${broken}`)).toEqual([`${opaque}.${signature}`]);
    expect(tokensIn(`${token}\n${broken}`)).toEqual([token, `${opaque}.${signature}`]);
  });

  it.each([
    ['quoted', `"${opaqueLines}"`],
    ['quoted by mail', `> ${opaqueLines.replaceAll('\n', '\n> ')}`],
    ['after a line that ends in another sign', `(see)\n${opaqueLines}`],
    ['with spaces at the ends of lines', opaqueLines.replaceAll('\n', ' \n')],
    ['broken by a shell', opaqueLines.replaceAll('\n', '\\\n')],
  ])('without JSON has its lines to itself: %s', (_name, text) => {
    expect(tokensIn(text)).toEqual([`${opaque}.${signature}`]);
  });

  it('without JSON does not reach back to a line that holds anything else', () => {
    expect(tokensIn(`(${opaqueLines}`)).toEqual([`${opaque.slice(30)}.${signature}`]);
  });

  it('goes on after up to 199 spaces', () => {
    const broken = (spaces: number): string =>
      `${payload.slice(0, 20)}${' '.repeat(spaces)}${payload.slice(20)}.${signature}`;
    expect(tokensIn(broken(199))).toEqual([token]);
    expect(tokensIn(broken(200))).not.toContain(token);
  });

  it('in classic base64 is given in the alphabet of base64url', () => {
    const other = `${encodeBase64Url(utf8('{"id":"~~~???"}'))}.${signature}`;
    expect(other).toMatch(/-.*_/);
    expect(tokensIn(other.replaceAll('-', '+').replaceAll('_', '/'))).toEqual([other]);
  });

  it.each([
    ['dashes of a word processor', (text: string) => text.replaceAll('-', '\u2014')],
    ['hyphens that do not break', (text: string) => text.replaceAll('-', '\u2011')],
    ['a line end behind a dash', (text: string) => text.replaceAll('-', '\u2013\n')],
    ['soft hyphens', (text: string) => text.replaceAll(/.{20}/g, '$&\u00AD')],
    ['letters of full width', (text: string) => text.replaceAll('e', '\uFF45')],
    ['a mark of a reply before each line', (text: string) => text.replaceAll(/.{30}/g, '$&\n>> ')],
  ])('is found with %s', (_name, send) => {
    const hyphened = `${encodeBase64Url(utf8('{"id":"~~>~~>~~>"}'))}.${signature}`;
    expect(hyphened).toContain('-');
    expect(tokensIn(`(${send(hyphened)})`)).toEqual([hyphened]);
  });

  it('does not begin with the dash of a list', () => {
    expect(tokensIn(`\u2013${opaque}.${signature}`)).toEqual([`${opaque}.${signature}`]);
  });

  it.each([
    ['-----BEGIN LICENSE-----', '-----END LICENSE-----'],
    ['----- begin license key -----\n', '\n----- end license key -----'],
    ['-----\n', '\n-----'],
    ['____\n', '\n \t____ '],
    ['~~~~\n', '\n****'],
  ])('ends where %j and %j begin and end', (begin, end) => {
    const cut = `${payload}.${signature.slice(0, 40)}`;
    for (const text of [token, `${opaque}.${signature}`, cut])
      expect(tokensIn(begin + text + end)).toEqual([text]);
  });

  it('has two dots at most: a segment before a JWS does not belong to it', () => {
    const jws = `${payload}.${token}`;
    expect(tokensIn(`${payload}. ${jws}`)).toEqual([jws]);
  });

  it('that is broken may have a payload of up to 90,000 letters', () => {
    const broken = (bytes: number): [whole: string, text: string] => {
      const long = encodeBase64Url(utf8(`{"a":"${'x'.repeat(bytes - 8)}"}`));
      const rest = `${long.slice(50_000)}.${signature}`;
      return [`${long.slice(0, 50_000)}${rest}`, `${long.slice(0, 50_000)} ${rest}`];
    };
    const [longest, text] = broken(67_500);
    expect(longest.indexOf('.')).toBe(90_000);
    expect(tokensIn(text)).toEqual([longest]);
    const [longer, longerText] = broken(67_503);
    expect(tokensIn(longerText)).not.toContain(longer);
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
    expect(tokensIn(`see ${cut}`)).toEqual([cut]);
    expect(tokensIn(`x${cut}`)).toEqual([]);
    expect(tokensIn(payload)).toEqual([]);
    expect(tokensIn(`${payload.slice(0, 38)}.`)).toEqual([]);
    expect(tokensIn(`eyJh.${'b'.repeat(35)}`)).toEqual([`eyJh.${'b'.repeat(35)}`]);
    expect(tokensIn(`eyJh.${'b'.repeat(34)}`)).toEqual([]);
  });

  it('that is damaged goes on over the lines that it has to itself', () => {
    const cut = `${payload}.${signature.slice(0, 40)}`;
    const broken = `${cut.slice(0, 30)}\n${cut.slice(30, 60)}\n${cut.slice(60)}`;
    expect(tokensIn(broken)).toEqual([cut]);
    expect(tokensIn(`${broken}\nplease help me`)).toEqual([cut]);
    expect(tokensIn(`see\n${broken} please`)).toEqual([cut.slice(0, 60)]);
  });

  it('is found beside a JWS, each for itself', () => {
    const jws = `${encodeBase64Url(utf8('{"alg":"EdDSA"}'))}.${token}`;
    expect(tokensIn(`${jws}\n${token}`)).toEqual([jws, token]);
    expect(tokensIn(`${token} ${jws}`)).toEqual([token, jws]);
  });
});

describe('the search for beginnings', () => {
  const broken = `${payload.slice(0, 20)} ${payload.slice(20)}.${signature}`;
  const beginnings = (count: number): string => `${'ew '.repeat(count)}.${'A'.repeat(86)}`;

  it('ends when four million letters have been decoded', () => {
    const after = (...counts: readonly number[]): string =>
      [...counts.map((count) => beginnings(count)), broken].join(', ');
    expect(tokensIn(after(1500, 28, 28, 28)).at(-1)).toBe(token);
    const cut = `${payload.slice(20)}.${signature}`;
    expect(tokensIn(after(3000, 28, 28, 28)).at(-1)).toBe(cut);
  });

  it.each(['word', 'even', 'two'])('decodes nothing that cannot be JSON: %s', (word) => {
    const counts = [3000, ...Array.from({ length: 10 }, () => 28)];
    const text = counts.map((count) => `${`${word} `.repeat(count)}${broken}`).join(', ');
    expect(tokensIn(text)).toEqual(counts.map(() => token));
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
    [
      'lines quoted once',
      `> ${first}\n>${second.slice(0, 9)}\n > ${second.slice(9)}.${signature}`,
      { 'line-breaks': 2, 'mail-quotes': 3, spaces: 1 },
    ],
    ['several spaces', `${first}   ${second}.${signature}`, { spaces: 1 }],
    ['five equals signs', `${token}===== end`, { padding: 1 }],
    ['classic base64', `${payload}.${'+/'.repeat(42)}+A`, { 'base64-alphabet': 85 }],
    ['a quoted line', ` > ${token}`, { 'mail-quotes': 1 }],
    ['a quoted line after another', `see\n> ${token}`, { 'mail-quotes': 1 }],
    ['a bracket that quotes no line', `a > ${token}`, {}],
    ['a label', `Key = ${token}`, { label: 1 }],
    ['a name in JSON', `"key": "${token}"`, { 'quotation-marks': 1 }],
    ['quotation marks', `«${token}»`, { 'quotation-marks': 1 }],
    ['a bracket', `(${token})`, { 'quotation-marks': 1 }],
    ['quotation marks with spaces', `" ${token} "`, { 'quotation-marks': 1 }],
    ['quotation marks around a label too', `"Key:${token}"`, { label: 1 }],
    ['quotation marks after a label', `key="${token}"`, { label: 1, 'quotation-marks': 1 }],
    ['quotation marks around a word', `my "key" is ${token}`, {}],
    ['a label of something else', `Order: 4711, ${token}`, {}],
    ['two words for each of two', `my license: ${token}\nmy other: ${token}`, { label: 2 }],
    [
      'three words for each of two',
      `my new license ${token}\nmy new other ${token}`,
      { 'surrounding-text': 1 },
    ],
    ['three words', `here it is ${token}`, {}],
    ['four words', `so here it is ${token}`, { 'surrounding-text': 1 }],
    ['words after it', `here ${token} it is denied`, { 'surrounding-text': 1 }],
  ])('%s', (_name, text, repairs) => {
    expect(repairsOf(text)).toEqual(repairs);
  });
});
