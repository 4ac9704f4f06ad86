import type { IncomingMessage } from 'node:http';

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

import { fail, type Result, succeed } from '#core/result';

type BodyFault = 'too-large' | 'cut-off';

/** Reads a request's body up to `maxBytes`. `cut-off`: the client has gone before its end. Never rejects. */
export function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<Result<Buffer, BodyFault>> {
  return new Promise((resolve) => {
    if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) {
      resolve(fail('too-large'));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        // What still comes is not read: the reply ends the connection.
        incoming.pause();
        resolve(fail('too-large'));
      }
    });
    incoming.once('end', () => {
      resolve(succeed(Buffer.concat(chunks)));
    });
    // After an end this changes nothing.
    incoming.once('error', () => {
      resolve(fail('cut-off'));
    });
    incoming.once('close', () => {
      resolve(fail('cut-off'));
    });
  });
}

/** Answers a request whose body could not be read; nothing is written for a client that has gone. */
export function refuseBody<Reply>(fault: BodyFault, refuse: () => Reply): Reply | Response {
  return fault === 'cut-off' ? RESPONSE_ALREADY_SENT : refuse();
}
