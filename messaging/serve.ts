/**
 * The worker's end of the message boundary.
 *
 * It uses no messaging library because this is the trust boundary: every message must pass our gate first, and no error
 * may leave (a library would serialise its message and stack for the sender).
 */
import type { ReplyMessage } from '#messaging/envelope';
import {
  type Admitted,
  type Asker,
  type GateFault,
  type Self,
  type Sender,
  admit,
} from '#messaging/gate';
import type { Body, Replies, TopicName } from '#messaging/protocol';
import type { Rules } from '#messaging/topic';

/**
 * Handles one topic. `nonce` is the same for a repeated request. A handler is called in the very task of the browser's
 * event, so that up to its first `await` it may do what a click allows.
 */
export type Handler<Body, Reply> = (body: Body, nonce: string, asker: Asker) => Promise<Reply>;

/** Holds the handlers of one feature, by what it replies to its topics. */
export type HandlersOf<R> = {
  readonly [T in keyof R & TopicName]: Handler<Body<T>, R[T]>;
};

export type Handlers = HandlersOf<Replies>;

/** Holds the topics that one script of the worker serves. */
export interface ServedTopics {
  readonly rules: Rules;
  readonly handlers: Partial<Handlers>;
}

/** Describes the browser's `runtime.onMessage`, as far as it is used. */
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
  /** Loads the topics of the second script, when the first of them is asked; undefined when it cannot. */
  readonly loadOthers: () => ServedTopics | undefined;
  /** Receives the topic and the error's class, never its text, which could quote what was sent. */
  readonly log: (topic: string, error: string) => void;
  /** Is called when a page of another build asks, whose files have replaced this worker's. */
  readonly otherBuild: () => void;
}

/**
 * Registers the one listener; call it synchronously when the worker starts.
 *
 * A foreign sender gets no reply at all, a page of ours that breaks a rule gets `refused`, an unexpected throw or a missing script
 * `failed`, and whoever is of another build is told so. A script in a web page loads nothing.
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
        const because = refusals[admitted.fault] ?? 'refused';
        sendResponse({ answered: false, because } satisfies ReplyMessage);
        if (because === 'other-build') otherBuild();
      }
      return false;
    }
    const request = admitted.value;
    handle(findTopics(request.topic, request.asker)?.handlers ?? {}, request).then(
      sendResponse,
      (error: unknown) => {
        log(request.topic, error instanceof Error ? error.name : typeof error);
        sendResponse({ answered: false, because: 'failed' } satisfies ReplyMessage);
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
  handlers: Partial<Handlers>,
  { topic, body, nonce, asker }: Admitted<T>,
): Promise<ReplyMessage<T>> {
  const handler = handlers[topic];
  if (handler === undefined) throw new TypeError('The topic has no handler.');
  const reply = await handler(body, nonce, asker);
  return { answered: true, reply };
}
