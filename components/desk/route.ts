import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';

/** Where on the desk the agent is. Ids of jobs, connections and items may stand in an address; a code never does. */
export type DeskRoute =
  | { readonly section: 'bulk'; readonly jobId?: string }
  | { readonly section: 'items'; readonly connectionId?: string; readonly itemId?: number }
  | { readonly section: 'account' }
  | { readonly section: 'history' }
  | { readonly section: 'reply' };

export type DeskSection = DeskRoute['section'];
export const deskSections = ['bulk', 'items', 'account', 'history', 'reply'] as const;

/** What is no address of a room leads to the first one. */
export function readRoute(hash: string): DeskRoute {
  const [section, first, second] = hash.replace(/^#\/?/u, '').split('/');
  switch (section) {
    case 'items': {
      if (first === undefined || !/^[\w-]{1,64}$/u.test(first)) return { section };
      return second !== undefined && /^\d{1,15}$/u.test(second)
        ? { section, connectionId: first, itemId: Number(second) }
        : { section, connectionId: first };
    }
    case 'account':
    case 'history':
    case 'reply':
      return { section };
    case 'bulk':
    case undefined:
    default:
      return first !== undefined && /^[\w-]{1,64}$/u.test(first)
        ? { section: 'bulk', jobId: first }
        : { section: 'bulk' };
  }
}

export function addressOf(route: DeskRoute): string {
  if (route.section === 'bulk' && route.jobId !== undefined) return `#/bulk/${route.jobId}`;
  if (route.section === 'items' && route.connectionId !== undefined)
    return route.itemId === undefined
      ? `#/items/${route.connectionId}`
      : `#/items/${route.connectionId}/${String(route.itemId)}`;
  return `#/${route.section}`;
}

/** Follows the page's address. */
export function useRoute(): Readonly<ShallowRef<DeskRoute>> {
  const route = shallowRef(readRoute(location.hash));
  function onChange(): void {
    route.value = readRoute(location.hash);
  }
  addEventListener('hashchange', onChange);
  onScopeDispose(() => {
    removeEventListener('hashchange', onChange);
  });
  return route;
}

export function goTo(route: DeskRoute): void {
  location.hash = addressOf(route);
}
