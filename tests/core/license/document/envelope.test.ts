import { describe, expect, it } from 'vitest';

import { openCompact, openSignedObject } from '#core/license/document/envelope';
import { encodeBase64Url, utf8, canonicalJson, type JsonObject } from '#core/encoding/index';
import { succeed } from '#core/result';

const signature = encodeBase64Url(new Uint8Array(64).fill(7));
const segmentOf = (text: string): string => encodeBase64Url(utf8(text));
const payload = segmentOf('{"a":1}');
const header = segmentOf('{"alg":"EdDSA"}');
const fault = (fields: object): object => ({ ok: false, fault: fields });

describe('a compact text', () => {
  it.each([
    ['Zg', { kind: 'not-an-envelope' }],
    ['Zg.Zg.Zg.Zg', { kind: 'not-an-envelope' }],
    [`.${signature}`, { kind: 'bad-base64url', part: 'payload' }],
    [`Zh.${signature}`, { kind: 'bad-base64url', part: 'payload' }],
    [`${payload}.${signature}=`, { kind: 'bad-base64url', part: 'signature' }],
    [`${payload}.Zm9v`, { kind: 'signature-length', bytes: 3 }],
    [`Zh.${payload}.${signature}`, { kind: 'bad-base64url', part: 'header' }],
    [`${header}..${signature}`, { kind: 'bad-base64url', part: 'payload' }],
    [`${header}.Zh.${signature}`, { kind: 'bad-base64url', part: 'payload' }],
    [`${header}.${payload}.Zh`, { kind: 'bad-base64url', part: 'signature' }],
  ])('%j is none: %j', (text, expected) => {
    expect(openCompact(text)).toEqual(fault(expected));
  });

  it('of two parts is a token, signed over its payload or its segment', () => {
    expect(openCompact(`${payload}.${signature}`)).toEqual(
      succeed({
        encoding: 'token',
        payload: { bytes: utf8('{"a":1}'), text: '{"a":1}', oddities: [], object: { a: 1 } },
        signature: new Uint8Array(64).fill(7),
        inputs: [
          { input: 'payload', message: utf8('{"a":1}') },
          { input: 'segment', message: utf8(payload) },
        ],
      }),
    );
  });

  it('of three parts is a JWS, signed over header and payload', () => {
    expect(openCompact(`${header}.${payload}.${signature}`)).toMatchObject({
      value: { encoding: 'jws', inputs: [{ input: 'jws', message: utf8(`${header}.${payload}`) }] },
    });
  });

  it.each([
    ['[]', 'unreadable'],
    ['{"alg":"EdDSA","alg":"EdDSA"}', 'unreadable'],
    ['{"alg":"EdDSA","crit":[]}', 'crit'],
    ['{"alg":"EdDSA","b64":true}', 'b64'],
    ['{"alg":"none"}', 'algorithm'],
    ['{}', 'algorithm'],
  ])('with the JWS header %s is refused: %s', (text, because) => {
    const jws = `${segmentOf(text)}.${payload}.${signature}`;
    expect(openCompact(jws)).toEqual(fault({ kind: 'jws-header', because }));
  });

  it.each([
    ['"k1"', 'k1'],
    ['""', undefined],
    ['7', undefined],
    ['null', undefined],
  ])('with the key id %s names %j', (kid, named) => {
    const opened = openCompact(
      `${segmentOf(`{"alg":"EdDSA","kid":${kid}}`)}.${payload}.${signature}`,
    );
    expect(opened).toMatchObject({ ok: true });
    expect(opened.ok && opened.value.keyId).toBe(named);
  });

  it('holds no text where its bytes are none, and no object where its text is none', () => {
    const [bytes, text] = [encodeBase64Url(new Uint8Array([0xff])), segmentOf('plain text')];
    const membersOf = (segment: string): string[] => {
      const opened = openCompact(`${segment}.${signature}`);
      return opened.ok ? Object.keys(opened.value.payload) : [];
    };
    expect(membersOf(bytes)).toEqual(['bytes', 'oddities']);
    expect(membersOf(text)).toEqual(['bytes', 'text', 'oddities']);
    expect(openCompact(`${bytes}.${signature}`)).toMatchObject({
      value: { payload: { oddities: [] } },
    });
    expect(openCompact(`${text}.${signature}`)).toMatchObject({
      value: { payload: { oddities: [] } },
    });
  });
});

describe('a payload that is itself signed text', () => {
  it.each([
    ['a segment', 'Zm9v', 'segment'],
    ['two segments', 'Zm9v.Zm9v', 'jws'],
    ['three segments', 'Zm9v.Zm9v.Zm9v', 'jws'],
    ['an object with a signature', '{"signature":1}', 'envelope'],
    ['an object with signatures', '{"signatures":[]}', 'envelope'],
  ])('is refused: %s', (_name, text, wraps) => {
    expect(openCompact(`${segmentOf(text)}.${signature}`)).toEqual(
      fault({ kind: 'wrapped', wraps }),
    );
  });

  it.each(['Zm9v.Zm9v.Zm9v.Zm9v', 'Zm9v..Zm9v', 'Zm9v.', 'Zm9v.Zh', 'an order'])(
    'is not %j',
    (text) => {
      expect(openCompact(`${segmentOf(text)}.${signature}`)).toMatchObject({ ok: true });
    },
  );
});

describe('a JSON object', () => {
  const opened = (object: JsonObject): object => openSignedObject(object, []);

  it.each([
    [{}, { kind: 'not-an-envelope' }],
    [{ signature: 7 }, { kind: 'not-an-envelope' }],
    [
      { signature: 'Zm9v', payload: 'x' },
      { kind: 'signature-length', bytes: 3 },
    ],
    [
      { signature, payload: '' },
      { kind: 'bad-base64url', part: 'payload' },
    ],
    [
      { signature, payload: 'Zh' },
      { kind: 'bad-base64url', part: 'payload' },
    ],
  ])('%j is none: %j', (object, expected) => {
    expect(opened(object)).toEqual(fault(expected));
  });

  it('with a segment as payload is a pair, in base64url or classic base64', () => {
    for (const text of [payload, `${payload}==`]) {
      expect(opened({ signature, payload: text })).toMatchObject({
        value: {
          encoding: 'pair',
          inputs: [{ input: 'payload', message: utf8('{"a":1}') }, { input: 'segment' }],
        },
      });
    }
  });

  it('with JSON text as payload is a pair, signed over that very text', () => {
    expect(opened({ signature, payload: ' {"a": 1}' })).toMatchObject({
      value: { encoding: 'pair', inputs: [{ input: 'payload', message: utf8(' {"a": 1}') }] },
    });
  });

  it('with an object as payload is a pair, signed over its canonical form', () => {
    expect(opened({ signature, payload: { b: 1, a: 2 } })).toMatchObject({
      value: { encoding: 'pair', inputs: [{ input: 'canonical', message: utf8('{"a":2,"b":1}') }] },
    });
  });

  it('with a signature among its members is signed over the canonical form of the others', () => {
    expect(opened({ b: 1, signature, a: 2 })).toMatchObject({
      value: {
        encoding: 'member',
        inputs: [{ input: 'canonical', message: utf8(canonicalJson({ a: 2, b: 1 })) }],
      },
    });
  });

  it('from ambiguous JSON is refused where its canonical form would be judged', () => {
    expect(openSignedObject({ signature, a: 1 }, ['duplicate-name'])).toEqual(
      fault({ kind: 'ambiguous-json', oddities: ['duplicate-name'] }),
    );
    expect(openSignedObject({ signature, payload }, ['duplicate-name'])).toMatchObject({
      ok: true,
    });
  });
});
