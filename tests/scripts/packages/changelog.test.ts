import { describe, expect, test } from 'vitest';

import { isLater, isVersion, releaseChanges } from '#scripts/packages/changelog';

const before =
  '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.2.0 (2026-11-21)\n\n- Old.\n';

describe('a changelog at a release', () => {
  test('dates what was unreleased, below an empty section', () => {
    expect(releaseChanges(before, '0.3.0', '2026-12-01')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.3.0 (2026-12-01)\n\n### Added\n\n- A thing.\n\n## 0.2.0 (2026-11-21)\n\n- Old.\n',
    );
  });

  test('is not released twice: an empty section is refused', () => {
    const released = releaseChanges(before, '0.3.0', '2026-12-01') ?? '';
    expect(releaseChanges(released, '0.3.1', '2026-12-02')).toBeUndefined();
  });

  test('without the section there is nothing to release', () => {
    expect(releaseChanges('# Changelog\n', '0.3.0', '2026-12-01')).toBeUndefined();
  });
});

describe('a later version', () => {
  test.each([
    ['0.2.1', '0.2.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.9.9', true],
    ['0.2.0', '0.2.0', false],
    ['0.1.9', '0.2.0', false],
  ])('%s after %s: %s', (version, than, later) => {
    expect(isLater(version, than)).toBe(later);
  });
});

test.each([
  ['0.10.2', true],
  ['01.2.3', false],
  ['1.2', false],
  ['1.2.3.4', false],
  ['1.2.3-beta', false],
  ['', false],
])('%j is a version: %s', (text, is) => {
  expect(isVersion(text)).toBe(is);
});
