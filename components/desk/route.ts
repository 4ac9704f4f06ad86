import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';

/** Where on the desk the agent is. Ids of jobs, connections and items may stand in an address; a code never does. */
export type DeskRoute =
  | { readonly room: 'bulk'; readonly jobId?: string }
  | { readonly room: 'items'; readonly connectionId?: string; readonly itemId?: number }
  | { readonly room: 'account' }
  | { readonly room: 'history' }
  | { readonly room: 'reply' };

export type Room = DeskRoute['room'];
export const rooms = ['bulk', 'items', 'account', 'history', 'reply'] as const;

/** What is no address of a room leads to the first one. */
export function readRoute(hash: string): DeskRoute {
  const [room, first, second] = hash.replace(/^#\/?/u, '').split('/');
  switch (room) {
    case 'items': {
      if (first === undefined || !/^[\w-]{1,64}$/u.test(first)) return { room };
      return second !== undefined && /^\d{1,15}$/u.test(second)
        ? { room, connectionId: first, itemId: Number(second) }
        : { room, connectionId: first };
    }
    case 'account':
    case 'history':
    case 'reply':
      return { room };
    case 'bulk':
    case undefined:
    default:
      return first !== undefined && /^[\w-]{1,64}$/u.test(first)
        ? { room: 'bulk', jobId: first }
        : { room: 'bulk' };
  }
}

export function addressOf(route: DeskRoute): string {
  if (route.room === 'bulk' && route.jobId !== undefined) return `#/bulk/${route.jobId}`;
  if (route.room === 'items' && route.connectionId !== undefined)
    return route.itemId === undefined
      ? `#/items/${route.connectionId}`
      : `#/items/${route.connectionId}/${String(route.itemId)}`;
  return `#/${route.room}`;
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
