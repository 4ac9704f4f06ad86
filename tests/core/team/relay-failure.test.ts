import { describe, expect, it } from 'vitest';

import { readRelayFailure } from '#core/team/relay-failure';
import { type FailureKind, failureReply } from '#relay/rules/failure';

const now = 1_700_000_000_000;
const retryAt = now + 7000;

function read(relayFailure: string, status: number, wait: object = { retryAt }) {
  const raw = { status, contentType: 'application/json', body: new Uint8Array(), relayFailure };
  return readRelayFailure({ ...raw, ...wait }, now);
}

describe('a failure of the relay', () => {
  /** `code-unknown` answers no seller call. */
  const table: Record<Exclude<FailureKind, 'code-unknown'>, object> = {
    'token-missing': { kind: 'relay-sign-in', reason: 'unknown' },
    'token-misplaced': { kind: 'relay-sign-in', reason: 'unknown' },
    'token-unknown': { kind: 'relay-sign-in', reason: 'unknown' },
    'token-expired': { kind: 'relay-sign-in', reason: 'expired' },
    'token-revoked': { kind: 'relay-sign-in', reason: 'revoked' },
    'request-unreadable': { kind: 'relay-refused' },
    'not-a-seller-call': { kind: 'relay-refused' },
    'no-such-connection': { kind: 'relay-refused' },
    'not-for-role': { kind: 'relay-refused', reason: 'role' },
    'no-such-month': { kind: 'relay-refused' },
    'request-too-large': { kind: 'relay-refused' },
    quota: { kind: 'rate-limited', retryAt, by: 'quota' },
    pace: { kind: 'rate-limited', retryAt, by: 'relay' },
    'upstream-rate-limited': { kind: 'rate-limited', retryAt, by: 'relay' },
    'upstream-unreachable': { kind: 'relay-upstream', reason: 'unreachable', retryAt },
    'upstream-redirected': { kind: 'relay-upstream', reason: 'unusable', retryAt },
    'upstream-too-large': { kind: 'relay-upstream', reason: 'unusable', retryAt },
    'upstream-unreadable': { kind: 'relay-upstream', reason: 'unusable', retryAt },
    'upstream-echoed-key': { kind: 'relay-upstream', reason: 'unusable', retryAt },
    'upstream-not-allowed': { kind: 'relay-upstream', reason: 'unreachable', retryAt },
    'upstream-paused': { kind: 'relay-upstream', reason: 'unreachable', retryAt },
    'no-key': { kind: 'relay-unavailable', reason: 'no-key', retryAt },
    'store-unavailable': { kind: 'relay-unavailable', reason: 'outage', retryAt },
    'slot-missed': { kind: 'relay-unavailable', reason: 'outage', retryAt },
    'upstream-timeout': { kind: 'relay-upstream', reason: 'unreachable', retryAt },
  };

  it.each(Object.entries(table))('%s is read as what it is', (kind, fault) => {
    const { status } = failureReply({ kind: kind as FailureKind });
    expect(read(kind, status)).toEqual(fault);
  });

  it('has its cause where the relay tells one that is known here, and nothing else that it tells', () => {
    const cause = (relayCause: string, failure = 'upstream-unreachable') =>
      read(failure, 502, { relayCause });
    const unreachable = { kind: 'relay-upstream', reason: 'unreachable' };
    expect(cause('certificate')).toEqual({ ...unreachable, cause: 'certificate' });
    expect(cause('<b>Call 0800 1234</b>')).toEqual(unreachable);
    expect(cause('refused', 'upstream-redirected')).toEqual({
      ...unreachable,
      reason: 'unusable',
    });
  });

  it('of a name that a later relay may use is read by its status', () => {
    expect(read('token-stolen', 401)).toEqual({ kind: 'relay-sign-in', reason: 'unknown' });
    expect(read('closed-today', 403)).toEqual({ kind: 'relay-refused' });
    expect(read('tide', 429)).toMatchObject({ kind: 'rate-limited', by: 'relay' });
    expect(read('moon', 500)).toMatchObject({ kind: 'relay-unavailable', reason: 'outage' });
    expect(read('moon', 200)).toMatchObject({ kind: 'relay-unavailable', reason: 'outage' });
  });

  it('that names no moment may be asked again soon', () => {
    expect(read('pace', 429, {})).toMatchObject({ retryAt: now + 5000 });
    expect(read('store-unavailable', 503, {})).not.toHaveProperty('retryAt');
  });

  it('is no reply that the relay passed on', () => {
    const raw = { status: 401, contentType: '', body: new Uint8Array(), ageMs: 0 };
    expect(readRelayFailure(raw, now)).toBeUndefined();
  });

  it('is whatever the relay neither passed on nor wrote itself, as a proxy before it does', () => {
    for (const status of [200, 401, 404, 429, 502, 503, 504]) {
      const raw = { status, contentType: 'text/html', body: new Uint8Array(), retryAt };
      const outage = { kind: 'relay-unavailable', reason: 'outage', retryAt };
      expect(readRelayFailure(raw, now)).toEqual(outage);
    }
  });
});
