/**
 * The worker's end of the message boundary.
 *
 * No messaging library stands here, because this boundary is the trust boundary: whatever passes must first pass our
 * gate, and an error must not travel (a library would serialise it, message and stack, to whoever asked).
 */
import type { ReplyMessage } from '#messaging/envelope';
import { type Admitted, type Asker, type Self, type Sender, admit } from '#messaging/gate';
import type { Body, Reply, TopicName } from '#messaging/protocol';

/**
 * One handler a topic. `nonce` is the same for a question that is asked again. A handler is called in the very task of the
 * browser's event, so that up to its first `await` it may do what a click allows.
 */
export type Handlers = {
  readonly [T in TopicName]: (body: Body<T>, nonce: string, asker: Asker) => Promise<Reply<T>>;
};

/** The browser's `runtime.onMessage`, as far as it is used. */
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
  /** Told the topic and the error's class, never its text: that could quote what was sent. */
  readonly log: (topic: string, error: string) => void;
}

/**
 * Registers the one listener; call it synchronously when the worker starts. A foreign sender gets no answer at all,
 * a page of ours that breaks a rule a bare refusal, an unexpected throw a bare failure.
 */
export function serve(event: MessageEvent, handlers: Handlers, { self, log }: Serving): void {
  event.addListener((message, sender, sendResponse) => {
    const admitted = admit(message, sender, self);
    if (!admitted.ok) {
      if (admitted.fault !== 'foreign') {
        log(admitted.fault, 'refused');
        sendResponse({ answered: false, because: 'refused' } satisfies ReplyMessage);
      }
      return false;
    }
    const question = admitted.value;
    answer(handlers, question).then(sendResponse, (error: unknown) => {
      log(question.topic, error instanceof Error ? error.name : typeof error);
      sendResponse({ answered: false, because: 'failed' } satisfies ReplyMessage);
    });
    return true;
  });
}

async function answer<T extends TopicName>(
  handlers: Handlers,
  question: Admitted<T>,
): Promise<ReplyMessage<T>> {
  const reply = await handlers[question.topic](question.body, question.nonce, question.asker);
  return { answered: true, reply };
}
