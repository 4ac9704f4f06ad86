import { describe, expect, it } from 'vitest';

import { addressOf, type DeskRoute, readRoute } from '#components/desk/route';

describe('an address on the desk', () => {
  it.each<[string, DeskRoute]>([
    ['#/bulk', { section: 'bulk' }],
    ['#/bulk/9a-b', { section: 'bulk', jobId: '9a-b' }],
    ['#/items', { section: 'items' }],
    ['#/items/c-1', { section: 'items', connectionId: 'c-1' }],
    ['#/items/c-1/42', { section: 'items', connectionId: 'c-1', itemId: 42 }],
    ['#/account', { section: 'account' }],
    ['#/history', { section: 'history' }],
    ['#/history/run/9a-b', { section: 'history', jobId: '9a-b' }],
    ['#/history/item/c-1/42', { section: 'history', connectionId: 'c-1', itemId: 42 }],
    ['#/items/c-1/A-m3==', { section: 'items', connectionId: 'c-1', itemId: 'A-m3==' }],
    ['#/history/code/0a1b', { section: 'history', codeId: '0a1b' }],
    ['#/reply', { section: 'reply' }],
    ['#/reply/not-found', { section: 'reply', template: 'not-found' }],
  ])('%s leads to its room and back', (address, route) => {
    expect(readRoute(address)).toEqual(route);
    expect(addressOf(route)).toBe(address);
  });

  it.each([
    ['', { section: 'bulk' }],
    ['#/nowhere', { section: 'bulk' }],
    ['#/bulk/<script>', { section: 'bulk' }],
    ['#/items/../x', { section: 'items' }],
    ['#/history/run/a b', { section: 'history' }],
    ['#/history/item/c-1', { section: 'history' }],
    ['#/history/other/c-1/42', { section: 'history' }],
    ['#/items/c-1/4.2', { section: 'items', connectionId: 'c-1' }],
  ])('that is none (%j) leads to what can be read of it', (address, route) => {
    expect(readRoute(address)).toEqual(route);
  });
});
