import { expect, it } from 'vitest';

import { parseInstallationId, sameInstallation } from '#core/license/document/document';

const id = '0b3f6d1e-8a4c-7e52-9d10-5f2f6f3c1a77';

it.each([
  id,
  id.toUpperCase(),
  ` ${id}\n`,
  `{${id}}`,
  `urn:uuid:${id}`,
  `URN:UUID:${id.toUpperCase()}`,
  id.replaceAll('-', ''),
])('%j is an installation id', (text) => {
  expect(parseInstallationId(text)).toBe(id);
});

it.each([
  undefined,
  7,
  '',
  id.slice(1),
  `0${id}`,
  `${id}0`,
  `x${id.replaceAll('-', '')}`,
  `${id.replaceAll('-', '')}0`,
  `0${id.replaceAll('-', '')}`,
  `x{${id}}`,
  `{${id}}x`,
  `x urn:uuid:${id}`,
  'g'.repeat(32),
])('%j is none', (text) => {
  expect(parseInstallationId(text)).toBeUndefined();
});

it('two spellings of one id are the same, and nothing is said where one is none', () => {
  expect(sameInstallation(id, `{${id.toUpperCase()}}`)).toBe(true);
  expect(sameInstallation(id, id.replace('0b', '1b'))).toBe(false);
  expect(sameInstallation('x', id)).toBeUndefined();
  expect(sameInstallation(id, 'x')).toBeUndefined();
  expect(sameInstallation('x', 'x')).toBeUndefined();
});
