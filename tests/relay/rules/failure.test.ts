import { expect, test } from 'vitest';

import { causeOfError } from '#relay/calls/ask-upstream';

const named = (code: string): Error => Object.assign(new Error('x'), { code });

test.each([
  ['ENOTFOUND', 'name'],
  ['EAI_AGAIN', 'name'],
  ['ECONNREFUSED', 'refused'],
  ['ETIMEDOUT', 'timeout'],
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
  ['ECONNRESET', 'broken'],
])('a connection that fails with %s has the cause: %s', (code, what) => {
  expect(causeOfError(named(code))).toEqual({ what, code });
  expect(causeOfError(new AggregateError([named('EINVAL'), named(code)]))).toEqual({ what, code });
});
