import { expect, test } from 'vitest';

import { visibleLines, visibleText } from '#core/text/visible-text';

test.each([
  ['shop.example.com', 'shop.example.com'],
  ['\u202Emoc.elpmaxe', '⟨U+202E⟩moc.elpmaxe'],
  ['a\u200Bb', 'a⟨U+200B⟩b'],
  ['line\nline', 'line⟨U+000A⟩line'],
  ['\uD800', '⟨U+D800⟩'],
  ['\u{E0041}', '⟨U+E0041⟩'],
  ['мир 世界 😀', 'мир 世界 😀'],
])('%j is shown as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test('every character that Unicode lets a program leave undrawn is shown', () => {
  const ignorable = /^\p{Default_Ignorable_Code_Point}$/u;
  const unseen: string[] = [];
  for (let point = 0; point <= 0x10_ff_ff; point += 1) {
    const sign = String.fromCodePoint(point);
    if (ignorable.test(sign) && visibleText(sign) === sign) unseen.push(point.toString(16));
  }
  expect(unseen).toEqual([]);
});

test('a text of several lines keeps its line breaks, and nothing else that is not drawn', () => {
  expect(visibleLines('one\ntwo\u202E\r\u0007')).toBe('one\ntwo⟨U+202E⟩⟨U+000D⟩⟨U+0007⟩');
});
