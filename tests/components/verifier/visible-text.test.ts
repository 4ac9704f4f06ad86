import { expect, test } from 'vitest';

import { visibleText } from '#components/verifier/visible-text';

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
