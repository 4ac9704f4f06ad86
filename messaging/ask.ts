/** A page's end of the message boundary; why there is no library here stands in `messaging/serve.ts`. */
import type { ReplyMessage, RequestMessage } from '#messaging/envelope';
import type { Ask, TopicName } from '#messaging/protocol';

/** The worker answered nothing each time, or would not or could not answer. Holds no detail of why. */
class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
  readonly topic: TopicName;
  readonly because: 'silent' | 'refused' | 'failed';

  constructor(topic: TopicName, because: 'silent' | 'refused' | 'failed') {
    super(`The worker did not answer "${topic}": ${because}.`);
    this.topic = topic;
    this.because = because;
  }
}

interface Asking {
  /** Milliseconds before each time the question is put again; their number bounds how often. */
  readonly retryDelays?: readonly number[];
  /** Milliseconds after which one unanswered question counts as lost. Longer than any handler takes. */
  readonly timeoutMs?: number;
}

/**
 * Binds `Ask` to the browser's `runtime.sendMessage`.
 *
 * A worker may be stopped while it answers: the browser then closes the channel (a rejection) or gives no answer
 * (`undefined`). Both are asked again under the same nonce, so that a question which adds something adds it once.
 * A refusal or failure of the worker is final.
 */
export function createAsk(
  send: (message: RequestMessage) => Promise<unknown>,
  { retryDelays = [50, 250, 1000], timeoutMs = 45_000 }: Asking = {},
): Ask {
  return async (topic, body) => {
    const question = { topic, body, nonce: crypto.randomUUID() };
    for (const pause of [...retryDelays, undefined]) {
      const answer = await withTimeout(
        send(question).catch(() => undefined),
        timeoutMs,
      );
      if (isReplyMessage<typeof topic>(answer)) {
        if (answer.answered) return answer.reply;
        throw new UnansweredError(topic, answer.because);
      }
      if (pause !== undefined) await after(pause);
    }
    throw new UnansweredError(topic, 'silent');
  };
}

/** The worker is code of ours and the browser vouches for it: the envelope is looked at, the reply is believed. */
function isReplyMessage<T extends TopicName>(answer: unknown): answer is ReplyMessage<T> {
  return typeof answer === 'object' && answer !== null && 'answered' in answer;
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function withTimeout(answer: Promise<unknown>, timeoutMs: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lost = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  try {
    return await Promise.race([answer, lost]);
  } finally {
    clearTimeout(timer);
  }
}
