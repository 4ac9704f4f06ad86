import type { ShallowRef } from 'vue';

import { useHashRoute } from '#components/use-hash-route';
import type { ItemId } from '#core/item-id';

/** A place on the desk. An address may contain ids of jobs, connections and items, but never a code. */
export type DeskRoute =
  | { readonly section: 'bulk'; readonly jobId?: string }
  | { readonly section: 'items'; readonly connectionId?: string; readonly itemId?: ItemId }
  | { readonly section: 'account' }
  | {
      readonly section: 'history';
      /** Shows only the checks of a bulk run. */
      readonly jobId?: string;
      /** Together with `itemId`, shows only that item's purchases. */
      readonly connectionId?: string;
      readonly itemId?: ItemId;
      /** Opens the dialog of a code, identified by its digest. */
      readonly codeId?: string;
    }
  | { readonly section: 'report' }
  /** Opens a template, by its id or as the first one of a situation. */
  | { readonly section: 'reply'; readonly template?: string };

export type DeskSection = DeskRoute['section'];
export const deskSections = ['bulk', 'history', 'report', 'items', 'account', 'reply'] as const;

/** Reads a fragment; anything else leads to the first section. */
export function readRoute(hash: string): DeskRoute {
  const [section, first, second, third] = hash.replace(/^#\/?/u, '').split('/');
  switch (section) {
    case 'items': {
      const [connectionId, itemId] = [idIn(first), itemIdIn(second)];
      if (connectionId === undefined) return { section };
      return itemId === undefined ? { section, connectionId } : { section, connectionId, itemId };
    }
    case 'history': {
      const [id, itemId] = [idIn(second), itemIdIn(third)];
      if (id === undefined) return { section };
      if (first === 'run') return { section, jobId: id };
      if (first === 'code') return { section, codeId: id };
      return first === 'item' && itemId !== undefined
        ? { section, connectionId: id, itemId }
        : { section };
    }
    case 'reply': {
      const template = idIn(first);
      return template === undefined ? { section } : { section, template };
    }
    case 'account':
    case 'report':
      return { section };
    case 'bulk':
    case undefined:
    default: {
      const jobId = idIn(first);
      return jobId === undefined ? { section: 'bulk' } : { section: 'bulk', jobId };
    }
  }
}

function idIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w-]{1,64}$/u.test(text) ? text : undefined;
}

function itemIdIn(text: string | undefined): ItemId | undefined {
  if (text === undefined || !/^[\w=-]{1,64}$/u.test(text)) return undefined;
  return /^\d{1,15}$/u.test(text) ? Number(text) : text;
}

/** Returns the fragment that leads to a place. */
export function addressOf(route: DeskRoute): string {
  if (route.section === 'bulk' && route.jobId !== undefined) return `#/bulk/${route.jobId}`;
  if (route.section === 'items' && route.connectionId !== undefined)
    return route.itemId === undefined
      ? `#/items/${route.connectionId}`
      : `#/items/${route.connectionId}/${String(route.itemId)}`;
  if (route.section === 'history' && route.jobId !== undefined)
    return `#/history/run/${route.jobId}`;
  if (route.section === 'history' && route.connectionId !== undefined && route.itemId !== undefined)
    return `#/history/item/${route.connectionId}/${String(route.itemId)}`;
  if (route.section === 'history' && route.codeId !== undefined)
    return `#/history/code/${route.codeId}`;
  if (route.section === 'reply' && route.template !== undefined) return `#/reply/${route.template}`;
  return `#/${route.section}`;
}

export function useDeskRoute(): Readonly<ShallowRef<DeskRoute>> {
  return useHashRoute(readRoute);
}

export function goTo(route: DeskRoute): void {
  location.hash = addressOf(route);
}
