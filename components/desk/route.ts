import type { ShallowRef } from 'vue';

import { useHashRoute } from '#components/use-hash-route';

/** A place on the desk. Ids of jobs, connections and items may stand in an address; a code never does. */
export type DeskRoute =
  | { readonly section: 'bulk'; readonly jobId?: string }
  | { readonly section: 'items'; readonly connectionId?: string; readonly itemId?: number }
  | { readonly section: 'account' }
  | { readonly section: 'history' }
  | { readonly section: 'reply' };

export type DeskSection = DeskRoute['section'];
export const deskSections = ['bulk', 'items', 'account', 'history', 'reply'] as const;

/** Reads a fragment; anything else leads to the first section. */
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

/** Returns the fragment that leads to a place. */
export function addressOf(route: DeskRoute): string {
  if (route.section === 'bulk' && route.jobId !== undefined) return `#/bulk/${route.jobId}`;
  if (route.section === 'items' && route.connectionId !== undefined)
    return route.itemId === undefined
      ? `#/items/${route.connectionId}`
      : `#/items/${route.connectionId}/${String(route.itemId)}`;
  return `#/${route.section}`;
}

/** Follows where on the desk the agent is. */
export function useDeskRoute(): Readonly<ShallowRef<DeskRoute>> {
  return useHashRoute(readRoute);
}

/** Goes to another section of the desk. */
export function goTo(route: DeskRoute): void {
  location.hash = addressOf(route);
}
