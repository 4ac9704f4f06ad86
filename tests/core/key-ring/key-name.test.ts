import { expect, test } from 'vitest';

import { keyName } from '#core/key-ring/ring';
import { pinned } from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const key = pinned(makeSigner(1), { fingerprint: 'ab12cd34ef56'.padEnd(64, '0') });

test.each([
  [{ label: 'Main key', keyId: '50b7' }, 'Main key'],
  [{ label: '', keyId: '50b7' }, '50b7'],
  [{ label: '' }, 'AB12 CD34'],
])(
  'a key is named by its label, else its id, else the beginning of its fingerprint: %j',
  (changes, name) => {
    expect(keyName({ ...key, ...changes })).toBe(name);
  },
);
