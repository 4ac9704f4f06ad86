import { expect, test } from 'vitest';

import { parseJson, withoutByteOrderMark } from '#core/encoding/json';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.each([
  ['{"a":[1,null,"b"]}', { a: [1, null, 'b'] }],
  ['0', 0],
  ['{', undefined],
  ['', undefined],
])('%s is read as JSON or as nothing', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test('__proto__ is a member like any other', () => {
  const value = parseJson('{"__proto__":1}') as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test('lists and objects lie in one another 500 deep at most', () => {
  expect(parseJson(nested(500))).toBeDefined();
  expect(parseJson(nested(501))).toBeUndefined();
  expect(parseJson(`${'{"a":'.repeat(501)}1${'}'.repeat(501)}`)).toBeUndefined();
  // Side by side they are not deep.
  expect(parseJson(`[${Array(2000).fill('[{}]').join(',')}]`)).toHaveLength(2000);
});

test('brackets in a text do not count, whatever is escaped in it', () => {
  const text = '['.repeat(2000);
  for (const end of ['', '\\', '\\\\', '"', '\\"', '\\\\"'])
    expect(parseJson(JSON.stringify([text + end, 1]))).toEqual([text + end, 1]);
  // A text that does not end swallows the rest, and is no JSON.
  expect(parseJson(`"${text}`)).toBeUndefined();
  // After a text with a backslash at its end, brackets count again.
  expect(parseJson(`[${JSON.stringify('\\')},${nested(500)}]`)).toBeUndefined();
});

test('the byte order mark goes from the beginning alone', () => {
  expect(withoutByteOrderMark('\uFEFF{}\uFEFF')).toBe('{}\uFEFF');
  expect(withoutByteOrderMark('{}')).toBe('{}');
});
