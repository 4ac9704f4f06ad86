import * as v from 'valibot';

import { type Result, fail, succeed } from '#core/result';
import type { Body, TopicName } from '#messaging/protocol';
import { type AskerName, type PageName, pages, rules } from '#messaging/rules';

/** The part of the browser's `MessageSender` that the gate judges by. */
export interface Sender {
  readonly id?: string | undefined;
  readonly origin?: string | undefined;
  readonly url?: string | undefined;
  readonly frameId?: number | undefined;
  /** Present where the sender is in a tab. */
  readonly tab?: { readonly id?: number | undefined; readonly windowId: number } | undefined;
}

/** Who asks, as the browser vouches for it. */
export type Asker =
  | { readonly name: PageName }
  | {
      readonly name: 'ticket-script';
      /** The live one of the document; whether it is allowed is the handler's to look up. */
      readonly origin: string;
      readonly tabId: number;
      readonly windowId: number;
      readonly frameId: number;
    };

/** This extension: its id, and the origin of its pages such as `chrome-extension://…` (no slash at the end). */
export interface Self {
  readonly id: string;
  readonly origin: string;
}

/** A question that may be answered. */
export type Admitted<T extends TopicName = TopicName> = {
  readonly [K in T]: {
    readonly topic: K;
    readonly body: Body<K>;
    /** A UUID that stays the same when the same question is asked again. */
    readonly nonce: string;
    readonly asker: Asker;
  };
}[T];

/** `foreign`: nobody of ours. The others: a page of ours that asks what it may not, or not in the agreed form. */
export type GateFault = 'foreign' | 'malformed' | 'unknown-topic' | 'not-yours' | 'bad-body';

const envelope = v.strictObject({
  topic: v.pipe(v.string(), v.maxLength(64)),
  nonce: v.pipe(v.string(), v.uuid()),
  body: v.unknown(),
});

/**
 * Decides who may ask what. Everything is refused that is not allowed by `rules`; a sender without an origin or
 * address is foreign, and so is a page of ours inside a frame, where another page could lay something over it. Our script in
 * a web page is told by its origin, and has its own few topics.
 */
export function admit(message: unknown, sender: Sender, self: Self): Result<Admitted, GateFault> {
  const asker = askerOf(sender, self);
  if (asker === undefined) return fail('foreign');
  const question = v.safeParse(envelope, message);
  if (!question.success) return fail('malformed');
  const { topic, nonce, body } = question.output;
  if (!isTopic(topic)) return fail('unknown-topic');
  return admitBody(topic, asker, body, nonce);
}

function admitBody(
  topic: TopicName,
  asker: Asker,
  body: unknown,
  nonce: string,
): Result<Admitted, GateFault> {
  const rule = rules[topic];
  const from: readonly AskerName[] = rule.from;
  if (!from.includes(asker.name)) return fail('not-yours');
  const read = v.safeParse(rule.body, body);
  if (!read.success) return fail('bad-body');
  // The pair belongs together by the type of `rules`; TypeScript cannot follow it through the union.
  return succeed({ topic, body: read.output, nonce, asker } as Admitted);
}

function isTopic(topic: string): topic is TopicName {
  return Object.hasOwn(rules, topic);
}

function askerOf(sender: Sender, self: Self): Asker | undefined {
  if (sender.id !== self.id || sender.url === undefined) return undefined;
  if (sender.origin !== self.origin) return scriptOf(sender);
  const name = pageOf(sender, self);
  return name === undefined ? undefined : { name };
}

/** A script of ours has no page's address, so it is known by a web origin, and stands in a frame of a tab. */
function scriptOf({ origin, tab, frameId }: Sender): Asker | undefined {
  if (origin === undefined || !/^https?:\/\/[^/]+$/u.test(origin)) return undefined;
  if (tab?.id === undefined || frameId === undefined) return undefined;
  return { name: 'ticket-script', origin, tabId: tab.id, windowId: tab.windowId, frameId };
}

function pageOf(sender: Sender, self: Self): PageName | undefined {
  if (sender.frameId !== undefined && sender.frameId !== 0) return undefined;
  return (Object.keys(pages) as PageName[]).find((name) =>
    isAddressOf(sender.url ?? '', self.origin + pages[name]),
  );
}

/** Extension schemes have an opaque `URL.origin` in some runtimes, so the address is compared up to its query. */
function isAddressOf(url: string, page: string): boolean {
  return url.split(/[?#]/u, 1)[0] === page;
}
