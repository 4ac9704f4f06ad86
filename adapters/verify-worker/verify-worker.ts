// First of all, before any other module runs.
import '#adapters/verify-worker/network-removal';

import { createVerifier } from '#core/verifier/verifier';
import type { PoolReply, PoolRequest } from '#adapters/verify-worker/worker-pool';
import type { VerifierRequest } from '#core/verifier/verifier-request';

/** The part of a worker's scope that is used here; this file is compiled beside pages. */
interface WorkerScope {
  postMessage(message: unknown): void;
  addEventListener(
    type: 'message',
    listener: (event: MessageEvent<PoolRequest<VerifierRequest>>) => void,
  ): void;
}

const scope = globalThis as unknown as WorkerScope;
const verifier = createVerifier();

scope.addEventListener('message', ({ data: { id, question } }) => {
  const reply = (answer: PoolReply<unknown>): void => {
    scope.postMessage(answer);
  };
  verifier.answer(question).then(
    (answer) => {
      reply({ id, answer });
    },
    (error: unknown) => {
      reply({ id, broke: String(error) });
    },
  );
});
