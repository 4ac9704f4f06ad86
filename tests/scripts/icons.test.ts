import { expect, test } from 'vitest';

import { compileIcon } from '#scripts/build/icons';

const shared =
  'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"';

test('an icon keeps each of its lines and what is its own, and nothing that all icons share', () => {
  const module = compileIcon(
    `<svg viewBox="0 0 24 24"><g ${shared}><path d="M1 2h3"/><circle cx="4" cy="5" r="6"/></g></svg>`,
  );
  expect(module).toContain('createIcon("M1 2h3",["circle",{"cx":"4","cy":"5","r":"6"}])');
  const alone = compileIcon(`<svg><path ${shared} d="M7 8v9" opacity="0.5"/></svg>`);
  expect(alone).toContain('createIcon(["path",{"d":"M7 8v9","opacity":"0.5"}])');
});
