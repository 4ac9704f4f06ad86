import { type Insertion, type Ticket, ticketAddressOf } from '#core/ticket/index';

/** The globals that the script for reply fields leaves in its isolated world. */
export interface ReplyFieldWorld {
  counterfoilInsert?: (
    text: string,
    ticket: Pick<Ticket, 'address' | 'subject'>,
  ) => Promise<Insertion>;
}

/** The parts of the browser's API that are used here. */
export interface ReplyFieldApis {
  readonly tabs: {
    get(tabId: number): Promise<{ readonly active: boolean; readonly url?: string | undefined }>;
  };
  readonly scripting: {
    executeScript<A extends unknown[]>(
      injection: { target: { tabId: number }; injectImmediately: true } & (
        | { files: [typeof script] }
        | { func: (...args: A) => unknown; args: A }
      ),
    ): Promise<readonly { readonly result?: unknown }[]>;
  };
}

const script = '/reply-field.js';

/** Accesses the reply fields of tickets. */
export interface ReplyFields {
  /** Returns the address of a tab if it is active in its window, else undefined. */
  addressInFront(tabId: number): Promise<string | undefined>;
  /** Inserts a text into the open reply field of a ticket. The page's script checks again that it is that ticket. */
  insert(text: string, ticket: Ticket): Promise<Insertion>;
}

// The browser runs this in the page, so it cannot use anything from this module.
const insertHere = (
  text: string,
  ticket: Pick<Ticket, 'address' | 'subject'>,
): Promise<Insertion> | undefined =>
  (globalThis as ReplyFieldWorld).counterfoilInsert?.(text, ticket);

export function createReplyFields({ tabs, scripting }: ReplyFieldApis): ReplyFields {
  async function insertInto({ tabId, address, subject }: Ticket, text: string): Promise<unknown> {
    const target = { tabId };
    await scripting.executeScript({ target, injectImmediately: true, files: [script] });
    const [frame] = await scripting.executeScript({
      target,
      injectImmediately: true,
      func: insertHere,
      args: [text, { address, subject }],
    });
    return frame?.result;
  }

  async function addressInFront(tabId: number): Promise<string | undefined> {
    const tab = await tabs.get(tabId).catch(() => undefined);
    return tab?.active === true ? tab.url : undefined;
  }

  return {
    addressInFront,
    async insert(text, ticket) {
      try {
        return ((await insertInto(ticket, text)) as Insertion | null | undefined) ?? 'no-field';
      } catch {
        // The document is gone, or no longer permitted.
        const address = ticketAddressOf((await addressInFront(ticket.tabId)) ?? '');
        return address === ticket.address ? 'no-field' : 'other-ticket';
      }
    },
  };
}
