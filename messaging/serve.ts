/**
 * The worker's end of the message boundary.
 *
 * It uses no messaging library because this is the trust boundary: every message must pass our gate first, and no error
 * may leave (a library would serialise its message and stack for the sender).
 */
import type { ReplyMessage } from '#messaging/envelope';
import { type Admitted, type Asker, type Self, type Sender, admit } from '#messaging/gate';
import type { Body, Replies, TopicName } from '#messaging/protocol';

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
  /** Receives the topic and the error's class, never its text, which could quote what was sent. */
  readonly log: (topic: string, error: string) => void;
  /** Is called when a page of another build asks, whose files have replaced this worker's. */
  readonly otherBuild: () => void;
}

/**
 * Registers the one listener; call it synchronously when the worker starts.
 *
 * A foreign sender gets no reply at all, a page of ours that breaks a rule gets `refused`, an unexpected throw `failed`, and whoever
 * is of another build is told so.
 */
export function serve(
  event: MessageEvent,
  handlers: Handlers,
  { self, log, otherBuild }: Serving,
): void {
  event.addListener((message, sender, sendResponse) => {
    const admitted = admit(message, sender, self);
    if (!admitted.ok) {
      if (admitted.fault !== 'foreign') {
        log(admitted.fault, 'refused');
        const because = admitted.fault === 'other-build' ? admitted.fault : 'refused';
        sendResponse({ answered: false, because } satisfies ReplyMessage);
        if (because === 'other-build') otherBuild();
      }
      return false;
    }
    const request = admitted.value;
    handle(handlers, request).then(sendResponse, (error: unknown) => {
      log(request.topic, error instanceof Error ? error.name : typeof error);
      sendResponse({ answered: false, because: 'failed' } satisfies ReplyMessage);
    });
    return true;
  });
}

async function handle<T extends TopicName>(
  handlers: Handlers,
  { topic, body, nonce, asker }: Admitted<T>,
): Promise<ReplyMessage<T>> {
  const reply = await handlers[topic](body, nonce, asker);
  return { answered: true, reply };
}
