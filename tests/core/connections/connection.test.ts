import * as v from 'valibot';
import { expect, it } from 'vitest';

import { connectionFields } from '#core/connections/connection';

it.each(['4e2e8b4d-c3e4-457a-8873-d20a7b8c74df', 'market_2', 'constructors'])(
  'takes %j for the id of a connection',
  (id) => {
    expect(v.is(connectionFields.id, id)).toBe(true);
  },
);

// A settings file names ids; under one of the first three no key could ever be kept.
it.each(['__proto__', 'prototype', 'constructor', '', 'a b', 'a/b', 'a\n', 'x'.repeat(65)])(
  'refuses %j as the id of a connection',
  (id) => {
    expect(v.is(connectionFields.id, id)).toBe(false);
  },
);
