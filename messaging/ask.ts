import { delay } from '#core/time/index';
import {
  type ReplyMessage,
  type RequestMessage,
  handlerLimitMs,
  ownBuild,
} from '#messaging/envelope';
import type { Ask, TopicName } from '#messaging/protocol';

type UnansweredReason = 'silent' | 'refused' | 'failed' | 'other-build';

/**
 * The worker never replied (`silent`), refused, failed, or belongs to another build than the page. Contains no details.
 */
class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
  readonly topic: TopicName;
  readonly reason: UnansweredReason;

  constructor(topic: TopicName, reason: UnansweredReason) {
    super(`${topic}: ${reason}`);
    this.topic = topic;
    this.reason = reason;
  }
}

interface AskOptions {
  /** Milliseconds before each retry, one entry per retry. */
  readonly retryDelays?: readonly number[];
  /** Returns after how many milliseconds a request without a reply counts as lost. */
  readonly timeoutMs?: (topic: string) => number;
}

/** Longer than any handler may take, so that a slow reply is not treated as lost. */
const lostAfterMs = (topic: string): number => handlerLimitMs(topic) + 5000;

/**
 * Binds `Ask` to the browser's `runtime.sendMessage`.
 *
 * The browser may stop the worker before it replies; the promise then rejects (the channel is closed) or resolves to
 * `undefined`. Both are retried with the same nonce, so that a request which adds something adds it once. A refusal or
 * failure is final.
 * @throws UnansweredError if the worker never replied, refused, failed or belongs to another build
 */
export function createAsk(
  send: (message: RequestMessage) => Promise<unknown>,
  { retryDelays = [50, 250, 1000], timeoutMs = lostAfterMs }: AskOptions = {},
): Ask {
  return async (topic, body) => {
    const request = { topic, body, nonce: crypto.randomUUID(), build: ownBuild };
    for (const delayMs of [...retryDelays, undefined]) {
      const answer = await withTimeout(
        send(request).catch(() => undefined),
        timeoutMs(topic),
      );
      if (isReplyMessage<typeof topic>(answer)) {
        if (answer.answered) return answer.reply;
        throw new UnansweredError(topic, answer.reason);
      }
      if (delayMs !== undefined) await delay(delayMs);
    }
    throw new UnansweredError(topic, 'silent');
  };
}

/** Checks the envelope only: the worker is our own code, so its reply is trusted. */
function isReplyMessage<T extends TopicName>(answer: unknown): answer is ReplyMessage<T> {
  return typeof answer === 'object' && answer !== null && 'answered' in answer;
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
