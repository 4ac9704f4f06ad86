import { expect, test } from 'vitest';

import { linkedFileName } from '#core/verifier/linked-file';

const address = 'https://desk.example/Ticket/Attachment/33/3/license.txt?x=/other#/third';

test.each([
  ['attachment; filename="state.json"', 'state.json'],
  ['inline; filename=state.json; size=12', 'state.json'],
  ['attachment; FileName = "a \\"quoted\\" name.lic"', 'a "quoted" name.lic'],
  ['attachment; filename="x.lic"; filename*=UTF-8\'\'schl%C3%BCssel.lic', 'schlüssel.lic'],
  // Raw UTF-8, as `fetch` shows it: one character for each byte.
  ['attachment; filename="schlÃ¼ssel.lic"', 'schlüssel.lic'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment; filename="C:\\\\temp\\\\a.lic"', 'a.lic'],
  ['attachment;filename="a.lic"', 'a.lic'],
  ['attachment;filename=a.lic', 'a.lic'],
  ['attachment; filename = a.lic', 'a.lic'],
  ["attachment;filename* = UTF-8'de'a%20b.lic", 'a b.lic'],
  ['attachment; filename="größe.lic"', 'größe.lic'],
  ['attachment; filename="日ü.lic"', '日ü.lic'],
  ["attachment; filename*=UTF-8''%2e%2e%2fb.lic", 'b.lic'],
  ['attachment; filename="a\u0007b.lic"', 'ab.lic'],
])('%j names the file %j', (disposition, name) => {
  expect(linkedFileName(disposition, address)).toBe(name);
});

test.each([null, '', 'attachment', 'attachment; filename=""', 'attachment; filename=".."'])(
  'with %j the last segment of the address names it',
  (disposition) => {
    expect(linkedFileName(disposition, address)).toBe('license.txt');
  },
);

test('a segment is decoded, and one that is malformed still names the file', () => {
  expect(linkedFileName(null, 'https://desk.example/a/schl%C3%BCssel%20%31.lic')).toBe(
    'schlüssel 1.lic',
  );
  expect(linkedFileName(null, 'https://desk.example/a/100%.lic')).toBe('100%.lic');
  expect(linkedFileName(null, 'https://desk.example/a/%FF.lic')).toBe('ÿ.lic');
  expect(linkedFileName(null, 'https://desk.example/a/%2Fetc%2Fpasswd')).toBe('passwd');
  expect(linkedFileName(null, 'https://desk.example/a/')).toBe('file');
});

test('a very long name is cut', () => {
  expect(linkedFileName(`attachment; filename="${'n'.repeat(5000)}"`, address)).toHaveLength(200);
});
