// Must be the first import: it removes the network before any other module runs.
import '#adapters/verify-worker/network-removal';

import { createVerifier } from '#core/verifier/verifier';
import type { PoolReply, PoolRequest, VerifierRequest } from '#core/verifier/verifier-request';

const verifier = createVerifier();

addEventListener(
  'message',
  ({ data: { id, question } }: MessageEvent<PoolRequest<VerifierRequest>>) => {
    const reply = (answer: PoolReply<unknown>): void => {
      postMessage(answer);
    };
    verifier.answer(question).then(
      (answer) => {
        reply({ id, answer });
      },
      (error: unknown) => {
        reply({ id, error: String(error) });
      },
    );
  },
);
