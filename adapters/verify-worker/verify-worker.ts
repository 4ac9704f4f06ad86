// Must be the first import: it removes the network before any other module runs.
import '#adapters/verify-worker/network-removal';

import {
  createVerifier,
  type PoolReply,
  type PoolRequest,
  type VerifierRequest,
} from '#core/verifier/index';

const verifier = createVerifier();

addEventListener(
  'message',
  ({ data: { id, request } }: MessageEvent<PoolRequest<VerifierRequest>>) => {
    const reply = (answer: PoolReply<unknown>): void => {
      postMessage(answer);
    };
    verifier.answer(request).then(
      (answer) => {
        reply({ id, answer });
      },
      (error: unknown) => {
        reply({ id, error: String(error) });
      },
    );
  },
);
