import { describe, expect, it } from 'vitest';

import { addressOf, type DeskRoute, readRoute } from '#components/desk/route';

describe('an address on the desk', () => {
  it.each<[string, DeskRoute]>([
    ['#/bulk', { room: 'bulk' }],
    ['#/bulk/9a-b', { room: 'bulk', jobId: '9a-b' }],
    ['#/items', { room: 'items' }],
    ['#/items/c-1', { room: 'items', connectionId: 'c-1' }],
    ['#/items/c-1/42', { room: 'items', connectionId: 'c-1', itemId: 42 }],
    ['#/account', { room: 'account' }],
    ['#/history', { room: 'history' }],
    ['#/reply', { room: 'reply' }],
  ])('%s leads to its room and back', (address, route) => {
    expect(readRoute(address)).toEqual(route);
    expect(addressOf(route)).toBe(address);
  });

  it.each([
    ['', { room: 'bulk' }],
    ['#/nowhere', { room: 'bulk' }],
    ['#/bulk/<script>', { room: 'bulk' }],
    ['#/items/../x', { room: 'items' }],
    ['#/items/c-1/4e2', { room: 'items', connectionId: 'c-1' }],
  ])('that is none (%j) leads to what can be read of it', (address, route) => {
    expect(readRoute(address)).toEqual(route);
  });
});
