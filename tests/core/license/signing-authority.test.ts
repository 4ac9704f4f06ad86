import { describe, expect, it } from 'vitest';

import { isNamedBy, isSameAuthority, signingAuthorityOf } from '#core/license/verify';
import type { PinnedKey } from '#core/keys/index';
import { pinnedKeyOf } from '#tests/core/keys/pinned-key';

const key = (digit: string, more: Partial<PinnedKey> = {}): PinnedKey =>
  pinnedKeyOf(digit, { id: digit, ...more });
const print = (digit: string): string => digit.repeat(64);
const isSame = (one: PinnedKey, other: PinnedKey, ...beside: PinnedKey[]): boolean => {
  const ring = [one, other, ...beside];
  return isSameAuthority(signingAuthorityOf(one, ring), signingAuthorityOf(other, ring));
};

describe('two keys are of one authority', () => {
  it('where they are one key, wherever it is tied to', () => {
    expect(
      isSame(
        key('1', { authority: 'https://a.example' }),
        key('1', { authority: 'https://b.example' }),
      ),
    ).toBe(true);
  });

  it('where they are tied to one origin, and not to two', () => {
    const at = (digit: string, host: string): PinnedKey =>
      key(digit, { authority: `https://${host}` });
    expect(isSame(at('1', 'a.example'), at('2', 'a.example'))).toBe(true);
    expect(isSame(at('1', 'a.example'), at('2', 'b.example'))).toBe(false);
    const linked = { ...at('2', 'b.example'), sameAuthorityAs: print('1') };
    expect(isSame(at('1', 'a.example'), linked)).toBe(false);
  });

  it('where they are linked, one of them tied to an origin or none', () => {
    const linked = key('2', { sameAuthorityAs: print('1') });
    expect(isSame(key('1'), linked)).toBe(true);
    expect(isSame(key('1', { authority: 'https://a.example' }), linked)).toBe(true);
    expect(isSame(linked, key('1', { authority: 'https://a.example' }))).toBe(true);
  });

  it('where a third key links them, also one that was removed', () => {
    const [one, two] = [
      key('1', { sameAuthorityAs: print('3') }),
      key('2', { sameAuthorityAs: print('3') }),
    ];
    expect(isSame(one, two)).toBe(true);
    expect(isSame(one, key('2'), key('3', { sameAuthorityAs: print('2') }))).toBe(true);
  });

  it('and not without a link, whatever others are linked', () => {
    expect(isSame(key('1'), key('2'), key('0', { sameAuthorityAs: print('4') }))).toBe(false);
  });

  it('and not by way of a key of another kind', () => {
    const test = key('3', { kind: 'test', sameAuthorityAs: print('1') });
    expect(isSame(key('1'), key('2', { sameAuthorityAs: print('3') }), test)).toBe(false);
    expect(isSame(key('1'), key('1', { kind: 'test' }))).toBe(false);
  });
});

describe('a key is named', () => {
  const named = key('a', { keyId: 'k1' });

  it('by its id or by sixteen digits of its fingerprint, in either case', () => {
    for (const name of ['k1', 'a'.repeat(16), 'A'.repeat(64)])
      expect(isNamedBy(named, name)).toBe(true);
  });

  it('by nothing shorter, and by no other name', () => {
    for (const name of ['', 'a'.repeat(15), 'K1', `${'a'.repeat(16)}b`]) {
      expect(isNamedBy(named, name)).toBe(false);
    }
  });
});
