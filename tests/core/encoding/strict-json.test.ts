import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  canonicalJson,
  isJsonObject,
  type JsonOddity,
  type JsonValue,
  maxDepth,
  parseStrictJson,
} from '#core/encoding/strict-json';
import { fail, succeed } from '#core/result';

const valueOf = (text: string): unknown => {
  const parsed = parseStrictJson(text);
  return parsed.ok ? parsed.value.value : parsed.fault.kind;
};

describe('strict JSON', () => {
  it('reads what JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(JSON.stringify(valueOf(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('reads a text alone as it reads it beside a number too large, which the engine’s own reader is not asked for', () => {
    const names = fc.constantFrom(
      '"a"',
      '"b"',
      '":"',
      '"constructor"',
      '"__proto__"',
      '" :"',
      String.raw`"\u0061"`,
      String.raw`"__\u0070roto__"`,
      String.raw`"\\"`,
      String.raw`":\""`,
    );
    const leaves = fc.oneof(
      names,
      fc.constantFrom(
        '1',
        '-0',
        '1e999',
        '9007199254740993',
        '9007199254740991',
        '0.5',
        '"\ud800"',
        String.raw`"\ud800"`,
      ),
    );
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaves,
        fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
        fc
          .array(fc.tuple(names, tie('value')), { maxLength: 4 })
          .map((members) => `{${members.map(([name, of]) => `${name} :${of}`).join(',')}}`),
      ),
    }));
    fc.assert(
      fc.property(value, (text) => {
        const alone = parseStrictJson(text);
        const beside = parseStrictJson(`[1e400,${text}]`);
        if (!alone.ok || !beside.ok) throw new Error(`This is JSON: ${text}`);
        expect([alone.value.value]).toEqual((beside.value.value as JsonValue[]).slice(1));
        expect(new Set([...alone.value.oddities, 'inexact-number'])).toEqual(
          new Set(beside.value.oddities),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('gives no record a prototype', () => {
    const read = valueOf('{"a":[{"b":1}]}') as { a: [object] };
    expect(Object.getPrototypeOf(read)).toBeNull();
    expect(Object.getPrototypeOf(read.a[0])).toBeNull();
  });

  it('refuses what JSON.parse refuses', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...Array.from('{}[]",:0123456789.eE+-truefalsn\\u \n')),
    });
    fc.assert(
      fc.property(letters, (text) => {
        let expected: unknown;
        try {
          expected = JSON.stringify(JSON.parse(text));
        } catch {
          expected = 'not-json';
        }
        const parsed = parseStrictJson(text);
        if (!parsed.ok && parsed.fault.kind === 'too-deep') return;
        expect(parsed.ok ? JSON.stringify(parsed.value.value) : 'not-json').toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each<readonly [string, JsonOddity[]]>([
    ['{"a":1,"b":2}', []],
    ['{"a":1,"a":1}', ['duplicate-name']],
    ['{"a":1,"\\u0061":2}', ['duplicate-name']],
    ['{"a":{"b":1,"b":2}}', ['duplicate-name']],
    ['{"__proto__":{}}', ['proto-name']],
    ['{"\\u005f_proto__":{}}', ['proto-name']],
    ['"\\ud800"', ['lone-surrogate']],
    ['{"\\udc00":1}', ['lone-surrogate']],
    ['"\\ud83d\\ude00"', []],
    ['9007199254740991', []],
    ['9007199254740992', ['inexact-number']],
    ['-9007199254740993', ['inexact-number']],
    ['1e400', ['inexact-number']],
    ['0.1', []],
  ])('names what is odd in %s', (text, oddities) => {
    expect(parseStrictJson(text)).toMatchObject(succeed({ oddities }));
  });

  it.each([
    ['', 0],
    ['{"a":1} x', 8],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['[1 2]', 3],
    ['"a\\x"', 2],
    ['"\\u00g0"', 1],
    ['"\\', 1],
    ['"a', 2],
    ['"a\u0001b"', 2],
    ['nul', 0],
    ['01', 1],
    ['+1', 0],
  ])('says where %j is no JSON', (text, at) => {
    expect(parseStrictJson(text)).toEqual(fail({ kind: 'not-json', at }));
  });

  it('says where it is too deep', () => {
    expect(parseStrictJson('['.repeat(40))).toEqual(fail({ kind: 'too-deep', at: maxDepth }));
  });

  it('reads every escape, and members after a deep one', () => {
    const text = String.raw`"\"\\\/\b\f\n\r\t\u00E4\u0020"`.replaceAll('\\\\', '\\\\');
    expect(valueOf(text)).toBe(JSON.parse(text));
    const deep = `[${'['.repeat(20)}${']'.repeat(20)},${'['.repeat(20)}${']'.repeat(20)}]`;
    expect(valueOf(deep)).toEqual(JSON.parse(deep));
  });

  it.each(['name', '"toString"', '{"b":[{}]}', ' [ 1 , {"a" : null} ] ', '\t\r\n 1 \t\r\n'])(
    'reads %j as JSON.parse does',
    (text) => {
      let expected: unknown = 'not-json';
      try {
        expected = JSON.parse(text);
      } catch {
        // Not JSON.
      }
      expect(valueOf(text)).toEqual(expected);
    },
  );

  it('calls neither an array nor null an object', () => {
    expect([{}, [], null, 'a', undefined].map(isJsonObject)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('keeps __proto__ as a member and gives nothing a prototype', () => {
    const value = valueOf('{"__proto__":{"admin":true}}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value['admin']).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBeNull();
  });

  it('reads to its depth and no further', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(valueOf(nested(maxDepth))).not.toBe('too-deep');
    expect(valueOf(nested(maxDepth + 1))).toBe('too-deep');
    expect(valueOf('['.repeat(100_000))).toBe('too-deep');
  });
});

describe('the RFC 8785 form', () => {
  it('sorts by UTF-16 units, as in the example of section 3.2.3', () => {
    const value: JsonValue = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const names = Object.keys(JSON.parse(canonicalJson(value)) as object);
    expect(canonicalJson(value).startsWith('{"\\r":"Carriage Return","1":"One","\u0080"')).toBe(
      true,
    );
    expect(names).toHaveLength(7);
    expect(canonicalJson(value).indexOf('Emoji')).toBeLessThan(
      canonicalJson(value).indexOf('Dalet'),
    );
  });

  it('writes the example of section 3.2.2 as section 3.2.4 shows it', () => {
    const text =
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}';
    expect(canonicalJson(valueOf(text) as JsonValue)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('is the same for every order and spacing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (record) => {
        const shuffled = Object.fromEntries(Object.entries(record).toReversed());
        const again = valueOf(JSON.stringify(shuffled, undefined, 2)) as JsonValue;
        expect(canonicalJson(again)).toBe(canonicalJson(record));
      }),
    );
  });
});
