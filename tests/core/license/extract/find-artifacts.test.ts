import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findArtifacts } from '#core/license/extract/find-artifacts';
import { bytesOfHex, concatBytes, utf8 } from '#core/encoding/index';
import { fileLimitBytes } from '#core/reading/index';
import {
  CERTIFICATE_CLAIMS,
  INSTALLATION,
  LICENSE_CLAIMS,
  jws,
  member,
  pair,
  token,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';
import { isUnderMutation } from '#tests/support/under-mutation';

const signer = makeSigner(1);
const license = token(signer, LICENSE_CLAIMS);
const certificate = token(signer, CERTIFICATE_CLAIMS);
const opaque = token(signer, 'Licensed to Jörg & Söhne, order 4711, single site, no resale');
const signed = jws(signer, CERTIFICATE_CLAIMS);

const rawOf = (source: Parameters<typeof findArtifacts>[0]): string[] =>
  findArtifacts(source).artifacts.map(({ raw }) => raw);
const repairsOf = (source: Parameters<typeof findArtifacts>[0]): Record<string, number> =>
  Object.fromEntries(findArtifacts(source).repairs.map(({ id, count }) => [id, count]));

const wrap = (text: string, column: number, end = '\n'): string =>
  (text.match(new RegExp(`.{1,${String(column)}}`, 'g')) ?? []).join(end);

describe('a bare token', () => {
  it('is found with no repair', () => {
    expect(rawOf(license)).toEqual([license]);
    expect(repairsOf(license)).toEqual({});
    expect(repairsOf(`\n  ${license}  \r\n`)).toEqual({});
  });

  it.each([
    ['opaque', opaque],
    ['JWS', signed],
  ])('is found when it is %s', (_, text) => {
    expect(rawOf(text)).toEqual([text]);
  });
});

describe('a token that was wrapped', () => {
  it.each([
    ['license', license],
    ['opaque license', opaque],
    ['JWS', signed],
  ])('is found at every column: %s', (_, text) => {
    const missed: number[] = [];
    for (let column = 1; column < text.length; column += 1) {
      const found = rawOf(wrap(text, column));
      const short = text === opaque && column < 16;
      if (!short && (found.length !== 1 || found[0] !== text)) missed.push(column);
    }
    expect(missed).toEqual([]);
  });

  it('counts its line breaks, whatever they are made of', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(repairsOf(wrap(license, 76, end))).toEqual({
        'line-breaks': Math.ceil(license.length / 76) - 1,
      });
    }
  });

  it('is found when line ends became spaces', () => {
    expect(rawOf(`License: ${wrap(license, 64, ' ')} Thank you`)).toEqual([license]);
    expect(repairsOf(wrap(license, 64, ' '))).toEqual({
      spaces: Math.ceil(license.length / 64) - 1,
    });
  });

  it('is found in a quoted mail', () => {
    const quoted = wrap(license, 60)
      .split('\n')
      .map((line) => `> > ${line}`)
      .join('\r\n');
    const mail = `Hi team,\r\n\r\nwe wrote:\r\n${quoted}\r\n> \r\nand it says denied. Best, Ann`;
    expect(rawOf(mail)).toEqual([license]);
    expect(Object.keys(repairsOf(mail))).toEqual(
      expect.arrayContaining(['line-breaks', 'mail-quotes', 'surrounding-text']),
    );
  });

  it('is found in quoted-printable', () => {
    const text = wrap(license, 75, '=\r\n').replace('.', '=2E');
    expect(rawOf(text)).toEqual([license]);
    expect(repairsOf(text)).toHaveProperty('quoted-printable');
  });
});

describe('a token among other things', () => {
  it.each([
    ['a label', `License: ${license}`, 'label'],
    ['a label and an equals sign', `LICENSE_KEY=${license}`, 'label'],
    ['quotes', `"${license}"`, 'quotation-marks'],
    ['typographic quotes', `\u201C${license}\u201D`, 'quotation-marks'],
    ['angle brackets', `<${license}>`, 'quotation-marks'],
    ['an armour', `-----BEGIN LICENSE-----\n${wrap(license, 64)}\n-----END LICENSE-----`, 'armour'],
    [
      'an armour on one line',
      `-----BEGIN LICENSE KEY----- ${wrap(license, 64, ' ')} -----END LICENSE KEY-----`,
      'armour',
    ],
    ['a rule', `==========\n${license}\n==========`, ''],
    ['prose', `Hello. Here it is ${license}. It does not work, why?`, 'surrounding-text'],
    ['zero-width characters', license.replace(/(.{20})/g, '$1\u200B'), 'invisible-characters'],
    ['a soft hyphen', `${license.slice(0, 50)}\u00AD${license.slice(50)}`, 'invisible-characters'],
    ['a byte order mark', `\uFEFF${license}`, 'byte-order-mark'],
    ['a line break of HTML', license.replace(/(.{60})/g, '$1<br>'), 'line-breaks'],
    ['percent encoding', license.replace('.', '%2E'), 'percent-encoding'],
    ['a comma', `${license}, thanks`, ''],
  ])('is found with %s', (_, text, repair) => {
    expect(rawOf(text)).toEqual([license]);
    if (repair !== '') expect(repairsOf(text)).toHaveProperty(repair);
  });

  it('is found with padding, in the classic alphabet, and both', () => {
    const classic = license.replaceAll('-', '+').replaceAll('_', '/');
    const padded = `${license.replace('.', '=.')}==`;
    expect(rawOf(classic)).toEqual([license]);
    expect(rawOf(padded)).toEqual([license]);
    expect(rawOf(`${classic.replace('.', '==.')}==`)).toEqual([license]);
    expect(repairsOf(padded)).toHaveProperty('padding');
  });

  it('is found with typographic dashes', () => {
    const text = `a${license}`.includes('-')
      ? license
      : token(signer, { ...LICENSE_CLAIMS, x: '~~~' });
    expect(rawOf(text.replaceAll('-', '\u2011'))).toEqual([text]);
  });

  it('is kept when it is damaged, so that the damage can be named', () => {
    const cut = license.slice(0, -9);
    expect(rawOf(cut)).toEqual([cut]);
  });
});

describe('several in one text', () => {
  it('are told apart, however they follow each other', () => {
    for (const between of ['\n', '\r\n\r\n', ' ', ', ', '\n--\n', '\nand the certificate:\n']) {
      expect(rawOf(`${license}${between}${certificate}`)).toEqual([license, certificate]);
      expect(rawOf(wrap(license, 70) + between + wrap(signed, 70))).toEqual([license, signed]);
    }
  });

  it('are kept apart from what is damaged between them', () => {
    const cut = certificate.slice(0, -20);
    expect(rawOf(`${license}\n${cut}`)).toEqual([license, cut]);
    expect(rawOf(`${cut}\n${license}\n${wrap(cut, 60)}x`)).toEqual([cut, license, `${cut}x`]);
  });

  it('count once when they are the same', () => {
    expect(rawOf(`${license}\n> ${license}`)).toEqual([license]);
  });

  it('are found line by line', () => {
    const many = Array.from({ length: 50 }, (_, index) =>
      token(signer, { ...LICENSE_CLAIMS, license_id: String(index) }),
    );
    expect(rawOf(many.join('\n'))).toEqual(many);
  });
});

describe('several sources', () => {
  it('are read as one: their documents once each, and the repairs of all of them', () => {
    const sources = [`\uFEFF${license}`, `\uFEFF${license}`, wrap(certificate, 200)];
    expect(rawOf(sources)).toEqual([license, certificate]);
    expect(repairsOf(sources)).toEqual({
      'byte-order-mark': 2,
      'line-breaks': Math.ceil(certificate.length / 200) - 1,
    });
  });

  it('have the first known fault, wherever it stands, when none of them holds a document', () => {
    expect(findArtifacts(['Hello', '', utf8('%PDF-1.7')]).fault).toEqual({ kind: 'empty' });
  });

  it('have no fault beside a document, nor when no fault is known', () => {
    expect(findArtifacts(['', license])).not.toHaveProperty('fault');
    expect(findArtifacts(['Hello', 'there'])).not.toHaveProperty('fault');
  });
});

describe('a text without a document', () => {
  it('had nothing repaired', () => {
    expect(repairsOf('Hello, here\u200B is no license\u2014key at all')).toEqual({});
  });

  it.each([
    '-----BEGIN PUBLIC KEY-----',
    'Our key:\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5',
    '{"kty":"OKP"}',
    '{"kty" : "OKP"}',
  ])('is named where it is a key: %s', (text) => {
    expect(findArtifacts(text).fault).toEqual({ kind: 'key' });
  });

  it.each([
    ['PEM', '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----'],
    ['a PEM in a mail', 'Is it this one?\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA\n'],
    ['PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519\n'],
    ['JWK', '{"kty":"OKP","crv":"Ed25519","d":"AA"}'],
    ['a file of DER', bytesOfHex(`302e020100300506032b657004220420${'07'.repeat(32)}`) ?? ''],
  ])('is named where it is a private key: %s', (_, source) => {
    expect(findArtifacts(source).fault).toEqual({ kind: 'private-key' });
  });

  it('is no key where it only tells of one', () => {
    expect(findArtifacts('The line begins with ssh-ed25519 AAAA')).not.toHaveProperty('fault');
  });

  it('is a fault only then: a license beside a key is a license', () => {
    const text = `${license}\n-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----`;
    expect(rawOf(text)).toEqual([license]);
    expect(findArtifacts(text)).not.toHaveProperty('fault');
  });
});

describe('JSON', () => {
  const state = {
    license,
    domain: 'shop.example.com',
    product_slug: 'harbour-theme',
    installation_id: INSTALLATION,
    activation_certificate: certificate,
    last_contact: { at: '2026-11-03T00:00:00Z', outcome: 'unreachable' },
  };

  it('of a saved state gives its documents, where they stand, and what it states', () => {
    const found = findArtifacts(JSON.stringify({ data: [{ installation: state }] }));
    expect(found.artifacts.map(({ raw, where }) => [raw, where])).toEqual([
      [license, 'data.0.installation.license'],
      [certificate, 'data.0.installation.activation_certificate'],
    ]);
    expect(found.stated).toEqual({
      domain: 'shop.example.com',
      productSlug: 'harbour-theme',
      installationId: INSTALLATION,
      lastContact: { at: Date.UTC(2026, 10, 3), outcome: 'unreachable' },
    });
    expect(found.repairs).toEqual([]);
  });

  it.each([
    ['pair', pair(signer, CERTIFICATE_CLAIMS)],
    ['member', member(signer, CERTIFICATE_CLAIMS)],
  ])('may be a certificate itself: %s', (_, text) => {
    expect(findArtifacts(text).artifacts).toMatchObject([{ where: '' }]);
    const response = `{"status":"success","activation_certificate":${text}}`;
    expect(findArtifacts(response).artifacts).toMatchObject([{ where: 'activation_certificate' }]);
    const nested = JSON.stringify({ activation_certificate: text });
    expect(findArtifacts(nested).artifacts).toHaveLength(1);
    expect(repairsOf(nested)).toHaveProperty('nested-json');
  });

  it.each([
    ['a mail’s signature', { signature: 'Kind regards, Ada', ...state }],
    ['no mail’s signature', { signature: '', data: { installation: state } }],
    ['a digest', { signature: 'sha256=9f86d081884c7d659a2feaa0c55ad015', ...state }],
    [
      'a digest in letters',
      { ...state, signature: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b' },
    ],
  ])('with %s is no signed document itself', (_, object) => {
    expect(rawOf(JSON.stringify(object))).toEqual([license, certificate]);
  });

  it.each([
    ['pair', pair(signer, CERTIFICATE_CLAIMS)],
    ['member', member(signer, CERTIFICATE_CLAIMS)],
  ])('whose signature is damaged is one all the same: %s', (_, text) => {
    const damaged = text.replace(/"signature":".{20}/, '"signature":"');
    expect(findArtifacts(damaged).artifacts).toMatchObject([{ where: '' }]);
  });

  it('may stand in prose, wrapped and quoted', () => {
    const text = JSON.stringify(state, undefined, 2);
    expect(rawOf(`Here is the state:\n${text}\nThanks!`)).toEqual([license, certificate]);
    const wrapped = wrap(JSON.stringify(state), 76)
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n');
    expect(rawOf(`You wrote:\n${wrapped}\n`)).toEqual([license, certificate]);
  });

  it('is found after braces that open nothing', () => {
    const text = member(signer, CERTIFICATE_CLAIMS);
    expect(findArtifacts(`if (x) { see ${text}`).artifacts).toHaveLength(1);
    expect(findArtifacts(`{ my state: ${text} }`).artifacts).toHaveLength(1);
  });

  it('leaves what stands before, between and after it to be read as text', () => {
    const other = token(signer, { ...LICENSE_CLAIMS, license_id: 'L-2' });
    const text = `${license}\n{"a":1}\n${other}\n{"b":2}\n${certificate}`;
    expect(rawOf(text)).toEqual([license, other, certificate]);
  });

  it('counts what had to be mended in it', () => {
    const broken = `{"license":"${wrap(license, 200)}"}`;
    expect(repairsOf(`State: ${broken}`)).toEqual({
      'line-breaks': Math.ceil(license.length / 200) - 1,
    });
  });

  it('may hold a document in the text of any member, whose other words do not count', () => {
    const note = `Use the {orbit} license that we sent to you in the mail: ${license}`;
    const found = findArtifacts(JSON.stringify({ note }));
    expect(found.artifacts).toMatchObject([{ raw: license, where: 'note' }]);
    expect(found.repairs).toEqual([{ id: 'label', count: 1 }]);
  });

  it('too deep to read is named', () => {
    const deep = `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`;
    expect(findArtifacts(deep)).toMatchObject({ artifacts: [], fault: { kind: 'too-deep' } });
  });

  it('keeps a slot that holds something unreadable', () => {
    const found = findArtifacts(JSON.stringify({ license, activation_certificate: 'lost' }));
    expect(found.artifacts[1]).toMatchObject({ raw: 'lost', meant: 'certificate' });
    expect(findArtifacts('{"license":"MIT","name":"x"}').artifacts).toEqual([]);
    expect(rawOf(JSON.stringify({ license, activation_certificate: null }))).toEqual([license]);
  });
});

describe('JSON in a string of JSON', () => {
  const nest = (times: number): string =>
    Array.from({ length: times }).reduce<string>(
      (inner) => JSON.stringify({ a: inner }),
      JSON.stringify({ license }),
    );
  const statedIn = (inner: string): unknown => findArtifacts(JSON.stringify({ a: inner })).stated;

  it('is read three strings deep; what stands deeper is read as text', () => {
    expect(findArtifacts(nest(3)).artifacts).toMatchObject([
      { raw: license, where: 'a.a.a.license', meant: 'license' },
    ]);
    expect(repairsOf(nest(3))).toEqual({ 'nested-json': 3 });
    expect(findArtifacts(nest(4)).artifacts).toMatchObject([{ raw: license, where: 'a.a.a.a' }]);
  });

  it.each([
    ['in square brackets', `[Order 4711] ${license}`],
    ['in braces', `{Order 4711} ${license}`],
  ])('is not what a text begins with %s: its license is found', (_, note) => {
    expect(rawOf(JSON.stringify({ note }))).toEqual([license]);
  });

  it('may have space around it', () => {
    const spaced = JSON.stringify({ a: `\n ${JSON.stringify({ license })} ` });
    expect(findArtifacts(spaced).artifacts).toMatchObject([{ raw: license, where: 'a.license' }]);
  });

  it('is read from 40 letters on, and no repair where it is shorter', () => {
    const inner = '{"license":0,"domain":"a.example"}';
    expect(statedIn(inner.padEnd(40))).toEqual({ domain: 'a.example' });
    expect(statedIn(inner.padEnd(39))).toEqual({});
    expect(repairsOf(JSON.stringify({ license, options: '{"a":1}' }))).toEqual({});
  });

  it('is passed over where it is none', () => {
    const template = '{ for the name, a line that is no JSON at all }';
    expect(findArtifacts(JSON.stringify({ template, license }))).toMatchObject({
      artifacts: [{ raw: license }],
      repairs: [],
    });
  });
});

describe('the place of a license or a certificate in JSON', () => {
  const emptied = signed.replace(/\..*\./, '..');
  const inPlace = (place: object): unknown[] =>
    findArtifacts(JSON.stringify(place)).artifacts.map(({ raw, meant }) => [raw, meant]);

  it('tells what each document in it is meant to be, the innermost place first', () => {
    expect(inPlace({ license: { note: license, activation_certificate: certificate } })).toEqual([
      [license, 'license'],
      [certificate, 'certificate'],
    ]);
  });

  it('holds one document of compact letters, even where a segment is missing or empty', () => {
    expect(inPlace({ activation_certificate: 'a.b' })).toEqual([['a.b', 'certificate']]);
    expect(inPlace({ license: emptied })).toEqual([[emptied, 'license']]);
  });

  it('may be broken by line ends and invisible characters, which count as repairs', () => {
    expect(repairsOf(JSON.stringify({ license: wrap(license, 200) }))).toEqual({
      'line-breaks': Math.ceil(license.length / 200) - 1,
    });
    const broken = { activation_certificate: 'a\u200B.\nb' };
    expect(inPlace(broken)).toEqual([['a.b', 'certificate']]);
    expect(repairsOf(JSON.stringify(broken))).toEqual({
      'invisible-characters': 1,
      'line-breaks': 1,
    });
  });

  it('holds a license from 40 letters on, a certificate from one on', () => {
    const words = 'not a license but a text of forty letter';
    expect(inPlace({ license: words })).toEqual([[words, 'license']]);
    expect(inPlace({ license: words.slice(1) })).toEqual([]);
    expect(inPlace({ activation_certificate: ' x ' })).toEqual([['x', 'certificate']]);
  });

  it('is empty where it holds nothing but spaces', () => {
    expect(inPlace({ license: ' '.repeat(40), activation_certificate: ' ' })).toEqual([]);
  });
});

describe('bytes', () => {
  const wide = (text: string, little: boolean): Uint8Array =>
    Uint8Array.from(text, (letter) => letter.charCodeAt(0)).reduce<Uint8Array>(
      (all, byte, at) => {
        all[2 * at + (little ? 0 : 1)] = byte;
        return all;
      },
      new Uint8Array(2 * text.length),
    );

  it.each([
    ['UTF-8', utf8(license), {}],
    ['UTF-8 with a mark', utf8(`\uFEFF${license}`), { 'byte-order-mark': 1 }],
    [
      'UTF-16 little-endian',
      concatBytes(new Uint8Array([0xff, 0xfe]), wide(license, true)),
      { 'byte-order-mark': 1, 'utf-16': 1 },
    ],
    [
      'UTF-16 big-endian',
      concatBytes(new Uint8Array([0xfe, 0xff]), wide(license, false)),
      { 'byte-order-mark': 1, 'utf-16': 1 },
    ],
    ['UTF-16 without a mark', wide(license, true), { 'utf-16': 1 }],
    ['Latin-1', concatBytes(new Uint8Array([0xfc, 0x20]), utf8(license)), { 'not-utf-8': 1 }],
  ])('in %s', (_, bytes, repairs) => {
    expect(rawOf(bytes)).toEqual([license]);
    expect(repairsOf(bytes)).toEqual(repairs);
  });

  it.each([
    ['empty', new Uint8Array(), 'empty'],
    ['blank', utf8(' \n\t'), 'empty'],
    ['zip', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]), 'zip'],
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0]), 'zip'],
    ['docx', utf8('PK\u0003\u0004....[Content_Types].xml'), 'office'],
    ['png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), 'image'],
    ['jpeg', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), 'image'],
    ['pdf', utf8('%PDF-1.7'), 'pdf'],
    ['program', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1]), 'binary'],
    ['at the cap and one above', new Uint8Array(fileLimitBytes + 1).fill(0x20), 'too-large'],
    [
      'public key',
      utf8('-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----'),
      'key',
    ],
  ])('that are no license are named: %s', (_, bytes, kind) => {
    expect(findArtifacts(bytes)).toMatchObject({ artifacts: [], fault: { kind } });
  });

  it('are read up to the cap', () => {
    const filled = `${license}${' '.repeat(fileLimitBytes - license.length)}`;
    expect(rawOf(utf8(filled))).toEqual([license]);
    expect(rawOf(filled)).toEqual([license]);
    expect(findArtifacts(`${filled} `).fault?.kind).toBe('too-large');
  });
});

describe('whatever comes in', () => {
  it('never makes it throw', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(license, certificate, signed, '{', '}', '"', '-----BEGIN', '=', '.', '\n> '),
      fc.json(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        findArtifacts(pieces.join(''));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        findArtifacts(bytes);
      }),
    );
  });

  it.skipIf(isUnderMutation).each([
    ['dots', '.'],
    ['dashes', '-'],
    ['opening braces', '{'],
    ['braces', '{}'],
    ['brackets', '['],
    ['quotes', '"'],
    ['beginnings of JSON', 'ew '],
    ['beginnings with dots', 'ew.'],
    ['line ends', '\n'],
    ['quoting', '\n> '],
    ['equals signs', '='],
    ['words', 'word '],
    ['armour', '-----BEGIN '],
    ['percent signs', '%2E'],
    ['soft line ends', `${'a'.repeat(70)}=\n`],
    ['signatures', `.${'A'.repeat(86)} `],
    ['signatures after beginnings', `ew ew ew .${'A'.repeat(86)} `],
    ['backslashes', '"\\'],
    ['ends of armour', 'END -----'],
  ])('ends soon when it is full of %s', (_, unit) => {
    const full = unit.repeat(Math.floor(fileLimitBytes / unit.length));
    expect(findArtifacts(full).fault?.kind).not.toBe('too-large');
  });
});
