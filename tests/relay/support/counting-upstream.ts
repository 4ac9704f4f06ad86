import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers as a seller API that confirms every code, and counts. */
export interface CountingUpstream {
  readonly origin: string;
  /** When each request arrived, on the clock of `performance.now()`, and its code. */
  readonly arrived: readonly { readonly at: number; readonly code: string }[];
  /** Holds replies back from now on; returns what lets them go. */
  hold(): () => void;
  /** Replies with this in place of a success from now on. */
  replyWith(reply: Reply | undefined): void;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function countingUpstream(): Promise<CountingUpstream> {
  const arrived: { at: number; code: string }[] = [];
  let gate: Promise<void> = Promise.resolve();
  let reply: Reply | undefined;
  const server = createServer((request, response) => {
    const at = performance.now();
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const code = new URLSearchParams(body).get('purchase_code') ?? '';
      const isAccount = request.url?.includes('/api/account/details') === true;
      arrived.push({ at, code });
      void gate.then(() => {
        const { status, headers, body: text } = reply ?? (isAccount ? accountReply : success(code));
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(text);
      });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    arrived,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      gate = promise;
      return () => {
        gate = Promise.resolve();
        resolve(undefined);
      };
    },
    replyWith: (next) => {
      reply = next;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
}

const accountReply: Reply = {
  status: 200,
  body: JSON.stringify({
    status: 'success',
    data: { username: 'fenwick', email: 'f@fenwick.test' },
  }),
};

function success(code: string): Reply {
  const item = { id: 1, name: 'Lantern', price: { regular: 29, extended: 99 } };
  const date = '2026-01-01T00:00:00Z';
  const purchase = { purchase_code: code, license_type: 'Regular', price: 29, item, date };
  return { status: 200, body: JSON.stringify({ status: 'success', data: { purchase } }) };
}

/** Returns the greatest number of moments in any closed window of this length. */
export function mostInAnyWindow(moments: readonly number[], windowMs: number): number {
  const sorted = moments.toSorted((a, b) => a - b);
  return Math.max(
    0,
    ...sorted.map((from) => sorted.filter((at) => at >= from && at <= from + windowMs).length),
  );
}
