import { describe, expect, it } from 'vitest';

import { clockOf, permitFor, type StoredLicense } from '#core/installation/permit';
import type { RecordedContact } from '#core/installation/saved-state';
import type { VerifiedCertificate } from '#core/license/index';

const minute = 60_000;
const due = 100 * minute;
const end = 200 * minute;
const certificate = {
  installationId: '80000000-0000-4000-8000-000000000000',
  nextValidationAt: due,
  graceUntil: end,
} as VerifiedCertificate;
const offline = { kind: 'offline' } as const;

const stored = (lastContact?: RecordedContact): StoredLicense => ({
  state: { oddities: [], ...(lastContact !== undefined && { lastContact }) },
  certificate,
});
const validatedAt = (at: number): RecordedContact => ({ at, outcome: 'validated' });
const unreachableAt = (at: number): RecordedContact => ({ at, outcome: 'unreachable' });
const refused: RecordedContact = {
  at: due,
  outcome: 'refused',
  refusal: { status: 403, msg: 'revoked' },
};

describe('a permit', () => {
  it('before validation is due names what comes next, and no earlier fault', () => {
    expect(permitFor(stored(validatedAt(0)), due - 1, offline)).toMatchObject({
      allowed: true,
      standing: 'activated',
      clockTurnedBack: false,
      certificate,
      lastContact: { outcome: 'validated' },
    });
    expect(permitFor(stored(validatedAt(0)), due - 1, offline)).not.toHaveProperty('fault');
    expect(permitFor(stored(validatedAt(0)), due - 1, offline).next).toBeDefined();
  });

  it('without a certificate is none, and holds nothing that is not known', () => {
    expect(permitFor({ state: { oddities: [] } }, due, undefined)).toStrictEqual({
      allowed: false,
      standing: 'not-activated',
      clockTurnedBack: false,
    });
  });

  it('in grace holds, and names why the authority brought nothing', () => {
    expect(permitFor(stored(unreachableAt(due)), due + 1, offline)).toMatchObject({
      allowed: true,
      standing: 'grace',
      fault: offline,
    });
  });

  it('when due does not hold, unless the authority said yes at that very time or later', () => {
    expect(permitFor(stored(validatedAt(due - 1)), due, undefined)).toMatchObject({
      allowed: false,
      standing: 'validation-due',
    });
    expect(permitFor(stored(validatedAt(due)), due, undefined)).toMatchObject({
      allowed: true,
      standing: 'validation-due',
    });
  });

  it('that is denied holds the refusal, and any other permit holds none', () => {
    expect(permitFor(stored(refused), due + 1, undefined)).toMatchObject({
      allowed: false,
      standing: 'denied',
      refusal: { status: 403, msg: 'revoked' },
    });
    expect(permitFor(stored(unreachableAt(due)), due + 1, undefined)).not.toHaveProperty('refusal');
    expect(permitFor(stored(unreachableAt(due)), end + 1, undefined)).toMatchObject({
      allowed: false,
      standing: 'denied',
    });
  });

  it('tells until when the authority is not asked again, while it stands otherwise', () => {
    const { state } = stored(refused);
    const pacing = { askedAt: due, failures: 1, notBefore: due + 10 * minute };
    const paused = { state: { ...state, pacing }, certificate };
    expect(permitFor(paused, due + 1, undefined).retryAt).toBe(due + 10 * minute);
    expect(permitFor(paused, due + 10 * minute, undefined)).not.toHaveProperty('retryAt');
    const current = { ...paused, state: { ...paused.state, lastContact: validatedAt(0) } };
    expect(permitFor(current, due - 1, undefined)).not.toHaveProperty('retryAt');
  });

  it('names a fault of what is stored before one of the last contact', () => {
    const vault = { kind: 'vault', reason: 'unreadable' } as const;
    const unreadable = { state: { oddities: [] }, fault: vault };
    expect(permitFor(unreadable, 0, offline).fault).toStrictEqual(vault);
  });

  it('says when the clock was turned back by more than five minutes', () => {
    const seen = { state: { oddities: [], latestSeen: 10 * minute }, certificate };
    expect(permitFor(seen, 5 * minute, undefined).clockTurnedBack).toBe(false);
    expect(permitFor(seen, 5 * minute - 1, undefined).clockTurnedBack).toBe(true);
  });
});

it('the clock knows the latest moment seen where there is one', () => {
  expect(clockOf({ state: { oddities: [] } }, 7)).toStrictEqual({ now: 7 });
  expect(clockOf({ state: { oddities: [], latestSeen: 9 } }, 7)).toStrictEqual({
    now: 7,
    latestSeen: 9,
  });
});
