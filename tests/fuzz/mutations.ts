import fc from 'fast-check';

/** Pieces that readers of text stumble over: separators, quotes, controls, digits, keywords, long runs. */
const fragments = [
  '',
  ' ',
  '\n',
  '\r\n',
  '\r',
  '\t',
  ',',
  ';',
  '|',
  '"',
  '""',
  "'",
  '.',
  '=',
  '==',
  '-',
  '---',
  '\0',
  '\u0001',
  '\uFEFF',
  '\u00A0',
  '\u00AD',
  '\u200B',
  '\u202E',
  '\u2013',
  '\uD800',
  '\uFF21',
  '{',
  '}',
  '[',
  ']',
  ':',
  'null',
  'true',
  '1e999',
  '-0',
  '9007199254740993',
  '__proto__',
  'constructor',
  'eyJ',
  'license',
  'activation_certificate',
  'payload',
  'signature',
  'data:',
  '-----BEGIN LICENSE-----',
  'Purchase code: ',
  'LIC-',
  '86781236-23d0-4b3c-7dfa-c1c147e0dece',
  '=1+1',
  '@SUM(A1)',
  '<script',
  '</script',
  '&amp;',
  '%2B',
  '=3D',
  'a'.repeat(300),
  '0'.repeat(64),
] as const;

type Change =
  | { readonly do: 'insert'; readonly at: number; readonly text: string }
  | { readonly do: 'delete'; readonly at: number; readonly count: number }
  | { readonly do: 'repeat'; readonly at: number; readonly count: number; readonly times: number }
  | { readonly do: 'flip'; readonly at: number; readonly unit: number };

const share = fc.double({ min: 0, max: 1, noNaN: true });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    do: fc.constant('insert' as const),
    at: share,
    text: fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'binary', maxLength: 12 })),
  }),
  fc.record({ do: fc.constant('delete' as const), at: share, count: fc.nat(40) }),
  fc.record({
    do: fc.constant('repeat' as const),
    at: share,
    count: fc.nat(60),
    times: fc.integer({ min: 1, max: 8 }),
  }),
  fc.record({ do: fc.constant('flip' as const), at: share, unit: fc.nat(0xffff) }),
);

/**
 * Generates texts that are nearly right: one of the samples with up to six changes, or text made of fragments alone.
 * @param samples texts that the target reads
 */
export function nearly(samples: readonly [string, ...string[]]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: mutated(samples) },
    {
      weight: 1,
      arbitrary: fc
        .array(
          fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'binary', maxLength: 6 })),
          {
            maxLength: 24,
          },
        )
        .map((parts) => parts.join('')),
    },
  );
}

function mutated([first, ...rest]: readonly [string, ...string[]]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(first, ...rest), fc.array(change, { maxLength: 6 }))
    .map(([sample, changes]) => changes.reduce(apply, sample));
}

function apply(text: string, one: Change): string {
  const at = Math.floor(one.at * text.length);
  switch (one.do) {
    case 'insert':
      return text.slice(0, at) + one.text + text.slice(at);
    case 'delete':
      return text.slice(0, at) + text.slice(at + one.count);
    case 'repeat':
      return text.slice(0, at) + text.slice(at, at + one.count).repeat(one.times) + text.slice(at);
    case 'flip':
      return text.slice(0, at) + String.fromCharCode(one.unit) + text.slice(at + 1);
  }
}

/**
 * Generates JSON values near a sample: any member left out, nulled, retyped or nested.
 * @param others values besides that may stand anywhere
 */
export function nearlyJson(
  sample: unknown,
  others: readonly unknown[] = [],
): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1.5,
    1e300,
    true,
    false,
    [],
    {},
    [null],
    '0',
    'NaN',
    '2026-02-30',
    ['a', 1],
    ...others,
    'x'.repeat(5000),
    { '': '' },
    { ['__proto__']: 1 },
    JSON.parse('{"__proto__":{"a":1}}'),
  );
  const anything = fc.oneof(odd, fc.jsonValue({ maxDepth: 2 }));
  if (Array.isArray(sample)) {
    return fc.oneof(
      { weight: 6, arbitrary: fc.tuple(...sample.map((one) => nearlyJson(one, others))) },
      { weight: 1, arbitrary: anything },
    );
  }
  if (typeof sample === 'object' && sample !== null) {
    const members = Object.fromEntries(
      Object.entries(sample).map(([name, value]) => [name, nearlyJson(value, others)]),
    );
    return fc.oneof(
      { weight: 10, arbitrary: fc.record(members, { requiredKeys: [] }) },
      { weight: 10, arbitrary: fc.record(members) },
      { weight: 1, arbitrary: anything },
    );
  }
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(sample) },
    { weight: 1, arbitrary: anything },
  );
}
