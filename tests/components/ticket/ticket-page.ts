import { type App, type Component, defineComponent, h } from 'vue';

import { succeed } from '#core/result';
import type { PageText } from '#core/ticket/index';
import type { SiteState } from '#messaging/topics/ticket';
import { pendingTextPort, replyFieldPort, shortcutPort, tabPagePort } from '#stores/ticket/ports';
import { useTicket } from '#stores/ticket/ticket';
import { mounting, type PageHarness } from '#tests/components/mounted';
import { connection, genuine } from '#tests/stores/check/samples';
import type { Script } from '#tests/stores/scripted-worker';

export const origin = 'https://desk.test';

interface TicketSetting {
  /** What the tab in front holds; without it, a page that cannot be read. */
  page?: Partial<PageText>;
  /** A text that the menu or a chip sent. */
  pending?: string;
  sites?: SiteState[];
  granted?: boolean;
  /** The keys of the shortcut, where one is set. */
  keys?: string;
  /** What the worker answers besides. */
  script?: Script;
  /** Binds further ports. */
  ports?: (app: App) => void;
}

/** Mounts a view over a ticket in the tab in front, and fills the check as the popup or the panel does. */
export function besideTicket(
  view: Component,
  start: 'open' | 'follow',
  { page, pending, sites = [], granted = true, keys, script = {}, ports }: TicketSetting = {},
): PageHarness & {
  send: (text: string) => void;
  /** Brings another ticket to the front, which is read once `read` is resolved. */
  turnTo: (address: string, read: Promise<Partial<PageText>>) => void;
} {
  let waiting = pending;
  let onText = (): void => undefined;
  let onTurn = (): void => undefined;
  let list = sites;
  const pageAt = (address: string, held: Partial<PageText>): PageText => ({
    origin,
    address,
    subject: '',
    attached: [],
    selection: '',
    text: '',
    ...held,
  });
  let front = page === undefined ? undefined : (page.address ?? `${origin}/1`);
  let read = Promise.resolve(
    page === undefined || front === undefined ? undefined : pageAt(front, page),
  );
  const started = defineComponent(() => {
    void useTicket()[start]();
    return () => h(view);
  });
  const harness = mounting(started, {
    granted,
    script: {
      'connections.list': () => [connection()],
      check: (body) => genuine(body),
      'sites.list': () => list,
      'sites.allow': (body) =>
        succeed((list = [{ origin: body.origin, automatic: false, permitted: granted }])),
      'sites.remove': () => succeed((list = [])),
      'sites.set-automatic': ({ on }) =>
        succeed((list = list.map((site) => ({ ...site, automatic: on })))),
      ...script,
    },
    ports: (app) => {
      ports?.(app);
      app
        .provide(tabPagePort, {
          read: () => read,
          front: () =>
            Promise.resolve(front === undefined ? undefined : { tabId: 7, address: front }),
          follow: (turned) => (onTurn = turned),
        })
        .provide(pendingTextPort, {
          take: () => {
            const taken = waiting;
            waiting = undefined;
            return Promise.resolve(taken === undefined ? undefined : { text: taken });
          },
          watch: (called) => (onText = called),
        })
        .provide(replyFieldPort, {
          isOffered: () => false,
          insert: () => Promise.resolve('no-field'),
        })
        .provide(shortcutPort, { current: () => Promise.resolve(keys), change: () => undefined });
    },
  });
  return {
    ...harness,
    send: (text) => {
      waiting = text;
      onText();
    },
    turnTo: (address, held) => {
      front = address;
      read = held.then((each) => pageAt(address, each));
      onTurn();
    },
  };
}
