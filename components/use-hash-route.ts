import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';

/**
 * Follows the fragment of the page's address.
 *
 * @param read turns a fragment, `#` included, into a route; empty when the address has none
 */
export function useHashRoute<Route>(read: (hash: string) => Route): Readonly<ShallowRef<Route>> {
  const route = shallowRef(read(location.hash)) as ShallowRef<Route>;
  function onChange(): void {
    route.value = read(location.hash);
  }
  addEventListener('hashchange', onChange);
  onScopeDispose(() => {
    removeEventListener('hashchange', onChange);
  });
  return route;
}
