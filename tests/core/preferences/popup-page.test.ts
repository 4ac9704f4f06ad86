import { expect, test } from 'vitest';

import { popupPageOf } from '#core/preferences/popup-page';

test.each([
  ['light', 'popup-light.html'],
  ['dark', 'popup-dark.html'],
  ['system', 'popup.html'],
  ['toString', 'popup.html'],
  [undefined, 'popup.html'],
  [{ theme: 'dark' }, 'popup.html'],
])('the theme %j opens %s', (theme, page) => {
  expect(popupPageOf(theme)).toBe(page);
});
