import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { createRandom } from '#tests/soak/random';

/** Gives shares of requests that go wrong, 0 to 1. */
export interface FaultShares {
  readonly reset: number;
  readonly serverError: number;
  readonly slow: number;
  readonly malformed: number;
}

export interface FaultyProxy {
  readonly origin: string;
  /** Requests that arrived, by what became of them. */
  readonly counts: Readonly<Record<'passed' | keyof FaultShares, number>>;
  /** Purchase codes that were asked about by two requests at once, other than after a break of the first. */
  readonly overlaps: readonly string[];
  close(): Promise<void>;
}

const slowMs = 3000;

/**
 * Stands before a seller API and lets some of its requests go wrong.
 * @param seed makes the sequence of faults repeatable
 */
export async function startFaultyProxy(
  target: string,
  shares: FaultShares,
  seed: number,
): Promise<FaultyProxy> {
  const random = createRandom(seed);
  const counts = { passed: 0, reset: 0, serverError: 0, slow: 0, malformed: 0 };
  const inFlight = new Set<string>();
  const overlaps: string[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const code = new URLSearchParams(body.toString()).get('purchase_code') ?? undefined;
    if (code !== undefined && inFlight.has(code)) overlaps.push(code);
    if (code !== undefined) inFlight.add(code);
    // A worker that is stopped closes its connections: its question is over, and may be asked again.
    response.once('close', () => {
      if (code !== undefined) inFlight.delete(code);
    });
    const fault = faultAt(random(), shares);
    counts[fault ?? 'passed'] += 1;
    if (fault === 'reset') {
      request.socket.destroy();
      return;
    }
    if (fault === 'serverError') {
      response.writeHead(random() < 0.5 ? 500 : 502, { 'content-type': 'text/html' });
      response.end('<h1>Server error</h1>');
      return;
    }
    if (fault === 'slow') await delay(slowMs, undefined, { ref: false });
    const reply = await forward(target, request, body);
    const text = fault === 'malformed' ? reply.text.slice(0, reply.text.length >> 1) : reply.text;
    response.writeHead(reply.status, { 'content-type': reply.contentType });
    response.end(text);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    counts,
    overlaps,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function faultAt(chance: number, shares: FaultShares): keyof FaultShares | undefined {
  let upTo = 0;
  for (const fault of ['reset', 'serverError', 'slow', 'malformed'] as const) {
    upTo += shares[fault];
    if (chance < upTo) return fault;
  }
  return undefined;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function forward(
  target: string,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
): Promise<{ status: number; contentType: string; text: string }> {
  const reply = await fetch(target + url, {
    method,
    redirect: 'manual',
    headers: { 'content-type': headers['content-type'] ?? 'application/octet-stream' },
    ...(method === 'POST' && { body: new Uint8Array(body) }),
  });
  return {
    status: reply.status,
    contentType: reply.headers.get('content-type') ?? 'text/plain',
    text: await reply.text(),
  };
}
