import { describe, expect, test } from 'vitest';

import type { PageText } from '#core/ticket/page-text';
import { isOfTicket, isStillBefore, ticketAddressOf } from '#core/ticket/ticket';

test.each([
  ['https://desk.test/Display.html?id=12#txn-55', 'https://desk.test/Display.html?id=12'],
  ['https://desk.test/t/5#', 'https://desk.test/t/5'],
  ['https://desk.test/#/tickets/5', 'https://desk.test/#/tickets/5'],
  ['https://mail.test/#inbox/FMfcgz', 'https://mail.test/#inbox/FMfcgz'],
  ['https://desk.test/#1042', 'https://desk.test/#1042'],
  ['https://desk.test/#ticket=5', 'https://desk.test/#ticket=5'],
])('the address of a ticket leaves out an anchor alone: %s', (address, expected) => {
  expect(ticketAddressOf(address)).toBe(expected);
});

const ticket = { address: 'https://desk.test/2', subject: 'Invoices' };

test.each([
  [{ address: ticket.address, subject: 'Invoices' }, true],
  [{ address: ticket.address, subject: '' }, true],
  [{ address: ticket.address, subject: 'Shipping' }, false],
  [{ address: 'https://desk.test/1', subject: 'Invoices' }, false],
])('what was read is of the ticket by address and heading: %o', (read, expected) => {
  expect(isOfTicket(read, ticket)).toBe(expected);
});

describe('a document that has changed its address', () => {
  const read: PageText = {
    address: 'https://desk.test/2',
    subject: 'Invoices',
    attached: [],
    selection: '',
    text: 'Loading',
  };
  const before = {
    address: 'https://desk.test/1',
    subject: 'Shipping',
    text: 'code A',
    codes: 'A',
  };

  test.each([
    ['the same text', { text: 'code A' }, 'A', true, true],
    ['the same codes, in a changed page', { text: 'Loading, code A' }, 'A', true, false],
    ['other codes', { text: 'code B' }, 'B', false, false],
    ['no code under another heading', {}, '', false, false],
  ])('shows the ticket before with %s', (_what, fields, codes, atFirst, later) => {
    expect(isStillBefore({ ...read, ...fields }, codes, before, 0)).toBe(atFirst);
    expect(isStillBefore({ ...read, ...fields }, codes, before, 5000)).toBe(later);
  });

  test('no code under the heading before shows the ticket before', () => {
    const bare = { ...before, codes: '', text: 'Hello' };
    expect(isStillBefore({ ...read, subject: 'Shipping' }, '', bare, 0)).toBe(true);
  });

  test.each(['https://desk.test/1/notes', 'https://desk.test/c/def'])(
    'that has the numbers of the one before, %s, is believed sooner, and not at once',
    (address) => {
      const view = { ...read, text: 'code A', address };
      const shown = { ...before, address: address.replace('def', 'abc').replace('/notes', '') };
      expect(isStillBefore(view, 'A', shown, 0)).toBe(true);
      expect(isStillBefore(view, 'A', shown, 5000)).toBe(false);
    },
  );

  test('a document of which nothing is known, or at the same address, shows its own ticket', () => {
    expect(isStillBefore(read, '', undefined, 0)).toBe(false);
    expect(isStillBefore({ ...read, ...before }, 'A', before, 0)).toBe(false);
  });
});
