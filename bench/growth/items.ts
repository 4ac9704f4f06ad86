import { fillItems } from '#bench/desk-records';
import { deskGrowth } from '#bench/growth/desk';

/** Measures the page of a shop's items. */
export const itemsGrowth = deskGrowth({
  name: 'items',
  unit: 'items',
  sizes: [200, 2_000, 20_000],
  route: '#/items/many',
  search: 'Search items',
  fill: (page, size) => page.evaluate(fillItems, size),
});
