import { describe, expect, it } from 'vitest';

import { mergeStated, readStatedFields } from '#core/license/extract/stated-fields';
import type { JsonValue } from '#core/encoding/index';

const moment = Date.UTC(2026, 10, 3);
const contactOf = (value: JsonValue): unknown =>
  readStatedFields({ last_contact: value }).lastContact;

describe('what a file states', () => {
  it.each(['license', 'activation_certificate', 'installation_id', 'last_contact'])(
    'counts beside the member %s, and beside no other',
    (mark) => {
      const fields = { domain: 'a.example', product_slug: 'orbit' };
      const stated = { domain: 'a.example', productSlug: 'orbit' };
      expect(readStatedFields({ ...fields, [mark]: null })).toEqual(stated);
      expect(readStatedFields({ ...fields, name: 'x' })).toEqual({});
    },
  );

  it('is text that is not blank', () => {
    expect(
      Object.keys(
        readStatedFields({ license: 1, domain: ' ', product_slug: 7, installation_id: '' }),
      ),
    ).toEqual([]);
    expect(readStatedFields({ installation_id: ' x ' })).toEqual({ installationId: ' x ' });
  });

  it.each([
    ...['validated', 'success', 'ok', 'OK'].map((word) => [word, 'validated']),
    ...['unreachable', 'unavailable', 'failed', 'failure', 'offline', 'Timeout'].map((word) => [
      word,
      'unreachable',
    ]),
    ...['refused', 'refusal', 'DENIED'].map((word) => [word, 'refused']),
  ])('tells of a contact in the word %s', (word, outcome) => {
    expect(contactOf({ at: '2026-11-03', outcome: word })).toEqual({ at: moment, outcome });
  });

  it('gives a moment as text, in seconds or in milliseconds', () => {
    for (const at of ['2026-11-03T00:00:00Z', moment / 1000, moment]) {
      expect(contactOf({ at, outcome: 'ok' })).toEqual({ at: moment, outcome: 'validated' });
    }
    expect(contactOf({ at: 1e11, outcome: 'ok' })).toMatchObject({ at: 1e14 });
  });

  it.each([
    null,
    'ok',
    ['ok'],
    {},
    { at: moment },
    { outcome: 'ok' },
    { at: 'soon', outcome: 'ok' },
    { at: String(moment), outcome: 'ok' },
    { at: moment, outcome: 'perhaps' },
    { at: moment, outcome: 1 },
  ])('tells of no contact by %j', (value) => {
    expect(contactOf(value)).toBeUndefined();
  });
});

describe('what two files state', () => {
  const both = (one: object, other: object, merged: object): void => {
    expect(mergeStated(one, other)).toEqual(merged);
    expect(mergeStated(other, one)).toEqual(merged);
  };

  it('is all of it, and of two texts the one that sorts first', () => {
    both({}, {}, {});
    both({ domain: 'a' }, { productSlug: 'p' }, { domain: 'a', productSlug: 'p' });
    both(
      { domain: 'a', installationId: 'y' },
      { domain: 'b', installationId: 'x' },
      { domain: 'a', installationId: 'x' },
    );
    expect(Object.keys(mergeStated({}, {}))).toEqual([]);
  });

  it('is the later contact, and of two at one moment the same in either order', () => {
    const contact = (at: number, outcome: string): object => ({ lastContact: { at, outcome } });
    both(contact(1, 'validated'), {}, contact(1, 'validated'));
    both(contact(1, 'validated'), contact(2, 'refused'), contact(2, 'refused'));
    both(contact(2, 'unreachable'), contact(1, 'refused'), contact(2, 'unreachable'));
    both(contact(1, 'validated'), contact(1, 'refused'), contact(1, 'refused'));
  });
});
