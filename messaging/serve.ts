/**
 * The worker's end of the message boundary.
 *
 * It uses no messaging library because this is the trust boundary: every message must first pass our gate (`admit`),
 * and errors must not leave (a library would serialise their message and stack for the sender).
 */
import * as v from 'valibot';
import type { ReplyMessage } from '#messaging/envelope';
import type { Body, Reply, TopicName } from '#messaging/protocol';
import { type Rules, type PageName, pages } from '#messaging/topic';
import { type Result, fail, succeed, omitUndefined } from '#core/result';

/**
 * Handles one topic. `nonce` is the same for a repeated request. A handler is called synchronously in the browser's
 * event, so user activation still holds until its first `await`.
 */
export type Handler<B, R> = (body: B, nonce: string, asker: Asker) => Promise<R>;

type AllHandlers = { readonly [T in TopicName]: Handler<Body<T>, Reply<T>> };

/** The handlers of every topic, or of those of some features, such as `Handlers<'items'>`. */
export type Handlers<Feature extends string = string> = Pick<
  AllHandlers,
  Extract<TopicName, Feature | `${Feature}.${string}`>
>;

export interface ServedTopics {
  readonly rules: Rules;
  readonly handlers: Partial<AllHandlers>;
}

/** The part of the browser's `runtime.onMessage` that is used. */
export interface MessageEvent {
  addListener(
    listener: (
      message: unknown,
      sender: Sender,
      sendResponse: (answer: unknown) => void,
    ) => boolean,
  ): void;
}

interface Serving {
  readonly self: Self;
  /** Loads the topics of the second script when one of them is first requested; undefined if that fails. */
  readonly loadOthers: () => ServedTopics | undefined;
  /** Receives the topic and the error's class, never its text, which could contain what was sent. */
  readonly log: (topic: string, error: string) => void;
  /** Called when a page of another build asks, whose files have replaced this worker's. */
  readonly otherBuild: () => void;
}

/**
 * Registers the one listener; call it synchronously when the worker starts.
 *
 * A foreign sender gets no reply. One of our pages gets `refused` if it breaks a rule, `failed` after an unexpected
 * throw or if a script is missing, and a reply of its own if it belongs to another build. A script in a web page never
 * causes the second script to load.
 */
export function serve(
  event: MessageEvent,
  topics: ServedTopics,
  { self, loadOthers, log, otherBuild }: Serving,
): void {
  const findTopics = (topic: string, asker: Asker): ServedTopics | undefined =>
    Object.hasOwn(topics.rules, topic) || asker.name === 'ticket-script' ? topics : loadOthers();

  event.addListener((message, sender, sendResponse) => {
    const admitted = admit(
      message,
      sender,
      self,
      (topic, asker) => findTopics(topic, asker)?.rules,
    );
    if (!admitted.ok) {
      if (admitted.fault !== 'foreign') {
        log(admitted.fault, 'refused');
        const reason = refusals[admitted.fault] ?? 'refused';
        sendResponse({ answered: false, reason } satisfies ReplyMessage);
        if (reason === 'other-build') otherBuild();
      }
      return false;
    }
    const request = admitted.value;
    handle(findTopics(request.topic, request.asker)?.handlers ?? {}, request).then(
      sendResponse,
      (error: unknown) => {
        log(request.topic, error instanceof Error ? error.name : typeof error);
        sendResponse({ answered: false, reason: 'failed' } satisfies ReplyMessage);
      },
    );
    return true;
  });
}

const refusals: Partial<Record<GateFault, 'failed' | 'other-build'>> = {
  'other-build': 'other-build',
  'part-missing': 'failed',
};

async function handle<T extends TopicName>(
  handlers: Partial<AllHandlers>,
  { topic, body, nonce, asker }: Admitted<T>,
): Promise<ReplyMessage<T>> {
  const handler = handlers[topic];
  if (handler === undefined) throw new TypeError('The topic has no handler.');
  const reply = await handler(body, nonce, asker);
  return { answered: true, reply };
}

/** The part of the browser's `MessageSender` that the gate checks. */
export interface Sender {
  readonly id?: string | undefined;
  readonly origin?: string | undefined;
  readonly url?: string | undefined;
  readonly frameId?: number | undefined;
  readonly documentId?: string | undefined;
  /** Present when the sender is in a tab. */
  readonly tab?:
    | {
        readonly id?: number | undefined;
        readonly windowId: number;
        readonly url?: string | undefined;
      }
    | undefined;
}

/** Identifies the sender, as vouched for by the browser. */
export type Asker =
  | { readonly name: PageName }
  | {
      readonly name: 'ticket-script';
      /** The document's live origin; the handler looks up whether it is allowed. */
      readonly origin: string;
      readonly tabId: number;
      readonly windowId: number;
      /** The tab's address; absent if the browser does not report it. */
      readonly url?: string;
      readonly frameId: number;
      /** Absent if the browser does not report it. */
      readonly documentId?: string;
    };

/** This extension's id, and the origin of its pages such as `chrome-extension://…` (without a trailing slash). */
interface Self {
  readonly id: string;
  readonly origin: string;
  readonly build: string;
}

/** A request that passed the gate. */
type Admitted<T extends TopicName = TopicName> = {
  readonly [K in T]: {
    readonly topic: K;
    readonly body: Body<K>;
    /** A UUID; a repeated request has the same one. */
    readonly nonce: string;
    readonly asker: Asker;
  };
}[T];

/**
 * Why a message was not admitted. `foreign`: the sender is not ours. `other-build`: it is ours, but of another build.
 * `part-missing`: the rules of the topic cannot be loaded. The others: one of our pages sent something forbidden or
 * malformed.
 */
type GateFault =
  | 'foreign'
  | 'other-build'
  | 'part-missing'
  | 'malformed'
  | 'unknown-topic'
  | 'not-yours'
  | 'bad-body';

const envelope = v.strictObject({
  topic: v.pipe(v.string(), v.maxLength(64)),
  nonce: v.pipe(v.string(), v.uuid()),
  body: v.unknown(),
  build: v.optional(v.string()),
});

/** Reads the build of a message; another build may have other members. */
const stated = v.looseObject({ build: v.string() });

/**
 * Decides who may send what. Refuses everything that the rules do not allow.
 *
 * A sender without an origin or address is foreign. So is one of our pages inside a frame, where another page could
 * cover it. Our script in a web page is recognised by its web origin, and may send only a few topics of its own.
 * @param rulesFor returns the set of rules that the topic would be in; undefined if it cannot be loaded
 */
function admit(
  message: unknown,
  sender: Sender,
  self: Self,
  rulesFor: (topic: string, asker: Asker) => Rules | undefined,
): Result<Admitted, GateFault> {
  const asker = askerOf(sender, self);
  if (asker === undefined) return fail('foreign');
  if (v.is(stated, message) && message.build !== self.build) return fail('other-build');
  const request = v.safeParse(envelope, message);
  if (!request.success) return fail('malformed');
  const { topic, nonce, body } = request.output;
  const rules = rulesFor(topic, asker);
  if (rules === undefined) return fail('part-missing');
  const rule = Object.hasOwn(rules, topic) ? rules[topic] : undefined;
  if (rule === undefined) return fail('unknown-topic');
  if (!rule.from.includes(asker.name)) return fail('not-yours');
  const read = v.safeParse(rule.body, body);
  if (!read.success) return fail('bad-body');
  // The rules' type guarantees that topic and body match; TypeScript cannot follow that through the union.
  return succeed({ topic, body: read.output, nonce, asker } as Admitted);
}

function askerOf(sender: Sender, self: Self): Asker | undefined {
  if (sender.id !== self.id || sender.url === undefined) return undefined;
  if (sender.origin !== self.origin) return scriptOf(sender);
  const name = pageOf(sender, self);
  return name === undefined ? undefined : { name };
}

/** Recognises our script: it has a web origin instead of a page's address, and is in a frame of a tab. */
function scriptOf({ origin, tab, frameId, documentId }: Sender): Asker | undefined {
  if (origin === undefined || !/^https?:\/\/[^/]+$/u.test(origin)) return undefined;
  if (tab?.id === undefined || frameId === undefined) return undefined;
  return omitUndefined({
    name: 'ticket-script',
    origin,
    frameId,
    tabId: tab.id,
    windowId: tab.windowId,
    url: tab.url,
    documentId,
  });
}

function pageOf(sender: Sender, self: Self): PageName | undefined {
  if (sender.frameId !== undefined && sender.frameId !== 0) return undefined;
  return (Object.keys(pages) as PageName[]).find((name) =>
    pages[name].some((file) => isAddressOf(sender.url ?? '', `${self.origin}/${file}`)),
  );
}

/** Compares two addresses without their query. In some runtimes `URL.origin` is opaque for extension schemes. */
function isAddressOf(url: string, page: string): boolean {
  return url.split(/[?#]/u, 1)[0] === page;
}
