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

test('a text of several lines keeps its line breaks, and nothing else that is not drawn', () => {
  expect(visibleLines('one\ntwo\u202E\r\u0007')).toBe('one\ntwo⟨U+202E⟩⟨U+000D⟩⟨U+0007⟩');
});
