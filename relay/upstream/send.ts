import { setMaxListeners } from 'node:events';
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Socket, isIP, type LookupFunction } from 'node:net';

import { isLocalHost, isSafeOrigin } from '#core/address/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { type RawReply, type SellerRequest, readRetryAfter } from '#core/http/exchange';
import type { FailureKind } from '#relay/rules/index';
import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';

/** Encodes the body of a request; a multipart body gets its boundary here. Node adds the length. */
async function encodeBody({ body }: SellerRequest) {
  if (body?.type !== 'multipart') return { bytes: Buffer.from(body?.text ?? ''), headers: {} };
  const form = new FormData();
  for (const [name, value] of body.fields) form.append(name, value);
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { bytes: Buffer.from(await encoded.arrayBuffer()), headers: { 'Content-Type': type } };
}

/**
 * Why there is no complete reply. `slot-missed`: nothing was sent, because the slot's deadline had passed. `pace`: nothing was sent,
 * because no connection to the seller was free, or the reply was not read, because others use all memory for replies. `given-up`: the relay
 * is stopping.
 */
export type SendFault =
  | 'given-up'
  | 'slot-missed'
  | 'pace'
  | Exclude<
      Extract<FailureKind, `upstream-${string}`>,
      'upstream-rate-limited' | 'upstream-echoed-key' | 'upstream-paused'
    >;

/** Where a request may be sent, and until when. */
export interface SendRules {
  /** The connection's base address; a request to any other origin is refused. */
  readonly baseAddress: string;
  readonly allowPrivate: boolean;
  /** The agent who asks; connections are shared between agents. */
  readonly agent: string;
  /** Returns how long the slot is still valid. After that, nothing is sent or connected. */
  readonly slotLeftMs: () => number;
  /** Receives the error if no connection was made, or it broke. */
  readonly failed?: (error: unknown) => void;
}

export interface Upstream {
  /** Sends once, follows no redirect, and reads at most `maxBytes`. Never rejects. */
  send(request: SellerRequest, rules: SendRules): Promise<Result<RawReply, SendFault>>;
  /** Stops waiting for replies, so that waiting calls can still be answered. */
  giveUp(): void;
  readonly gaveUp: boolean;
  close(): void;
}

const maxConnections = 128;
const idleMs = 60_000;
/** How many bytes all replies being read may take, beyond the first bytes of each, so that small ones can always be read. */
const maxLargeBytes = 128 * 1024 * 1024;
const smallBytes = 64 * 1024;

/**
 * Shares connections: an agent may take one for as long as more are free than they have, so that there is always one left for the next
 * agent. Returns a function that ends the use; undefined if none is free.
 */
function createShares(): (origin: string, agent: string) => (() => void) | undefined {
  /** The agents who use connections to a seller, once per connection. */
  const sellers = new Map<string, string[]>();
  return (origin, agent) => {
    const users = sellers.get(origin) ?? [];
    const own = users.filter((one) => one === agent).length;
    if (own >= maxConnections - users.length) return undefined;
    users.push(agent);
    sellers.set(origin, users);
    return () => {
      users.splice(users.indexOf(agent), 1);
      if (users.length === 0) sellers.delete(origin);
    };
  };
}

/**
 * Creates the sender of requests to upstreams.
 * @param now the clock of the relay's store, to which `Retry-After` is added; epoch milliseconds
 */
export function createUpstream(now: () => number, most = maxLargeBytes): Upstream {
  const large = { bytes: 0, most };
  // With a timeout of our own, Node also respects the seller's for idle connections.
  const options = { keepAlive: true, maxSockets: maxConnections, timeout: idleMs };
  const takeConnection = createShares();
  // These keep connections open, so those to private addresses are separate.
  const agents = {
    http: new HttpAgent(options),
    public: new HttpsAgent({ ...options, lookup: publicLookup }),
    private: new HttpsAgent(options),
  };
  const ended = new AbortController();
  // Each running exchange adds a listener.
  setMaxListeners(0, ended.signal);

  return {
    send: async (request, rules) => {
      const url = new URL(request.url);
      if (!isAllowed(url, rules)) return fail('upstream-not-allowed');
      const body = await encodeBody(request);
      if (ended.signal.aborted) return fail('given-up');
      const endUse = takeConnection(url.origin, rules.agent);
      if (endUse === undefined) return fail('pace');
      const isHttps = url.protocol === 'https:';
      const outgoing = (isHttps ? httpsRequest : httpRequest)(url, {
        agent: isHttps ? agents[rules.allowPrivate ? 'private' : 'public'] : agents.http,
        method: request.method,
        headers: {
          ...request.headers,
          ...body.headers,
          'User-Agent': 'counterfoil-relay',
          'Accept-Encoding': 'identity',
        },
      });
      const exchangeParts = { ...rules, now, large, ended: ended.signal };
      return exchange(outgoing, body.bytes, request, exchangeParts).finally(endUse);
    },
    giveUp: () => {
      ended.abort();
    },
    get gaveUp() {
      return ended.signal.aborted;
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Compares origins after URL parsing. An IP address is never looked up, so it is judged here. */
function isAllowed(url: URL, { baseAddress, allowPrivate }: SendRules): boolean {
  if (url.origin !== new URL(baseAddress).origin || !isSafeOrigin(url)) return false;
  if (allowPrivate || url.protocol === 'http:') return true;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return !/^[\d.]+$|:/.test(host) || !isPrivateAddress(host);
}

interface ExchangeParts extends Pick<SendRules, 'slotLeftMs' | 'failed'> {
  readonly now: () => number;
  readonly large: { bytes: number; readonly most: number };
  readonly ended: AbortSignal;
}

function exchange(
  outgoing: ClientRequest,
  body: Uint8Array,
  { timeoutMs, maxBytes }: SellerRequest,
  { slotLeftMs, ended, ...parts }: ExchangeParts,
): Promise<Result<RawReply, SendFault>> {
  return new Promise((resolve) => {
    const end = (result: Result<RawReply, SendFault>): void => {
      clearTimeout(timer);
      clearTimeout(slotTimer);
      ended.removeEventListener('abort', giveUp);
      resolve(result);
      if (!result.ok) outgoing.destroy();
    };
    const giveUp = (): void => {
      end(fail('given-up'));
    };
    ended.addEventListener('abort', giveUp);
    const timer = setTimeout(() => {
      end(fail('upstream-timeout'));
    }, timeoutMs);
    let sent = false;
    const slotTimer = setTimeout(
      () => {
        // After a stall of the event loop, a connection that was made in the meantime is reported first.
        setImmediate(() => {
          if (sent) return;
          parts.failed?.({ code: 'ETIMEDOUT' });
          end(fail('upstream-unreachable'));
        });
      },
      Math.max(0, slotLeftMs()),
    );

    outgoing.on('error', (error) => {
      parts.failed?.(error);
      end(fail(error instanceof PrivateAddress ? 'upstream-not-allowed' : 'upstream-unreachable'));
    });
    outgoing.on('socket', (socket: Socket & { readonly encrypted?: boolean }) => {
      const write = (): void => {
        // The event loop or the machine may have stalled, so the slot is checked in the same turn that sends.
        if (slotLeftMs() < 0) {
          end(fail('slot-missed'));
          return;
        }
        sent = true;
        outgoing.end(body);
      };
      if (socket.connecting) socket.once(socket.encrypted ? 'secureConnect' : 'connect', write);
      else write();
    });
    // Without this, a reply that changes the protocol would be awaited until the timeout.
    outgoing.on('upgrade', (_incoming, socket) => {
      socket.destroy();
      end(fail('upstream-unreadable'));
    });
    outgoing.on('response', (incoming) => {
      void readReply(incoming, maxBytes, parts).then(end);
    });
  });
}

async function readReply(
  incoming: IncomingMessage,
  maxBytes: number,
  { now, failed, large }: Omit<ExchangeParts, 'slotLeftMs' | 'ended'>,
): Promise<Result<RawReply, SendFault>> {
  const status = incoming.statusCode ?? 0;
  // RFC 9110, 15: there are no other statuses, and without an upgrade none below 200 ends an exchange.
  if (status < 200 || status > 599) return fail('upstream-unreadable');
  if (status >= 300 && status < 400) return fail('upstream-redirected');
  if ((incoming.headers['content-encoding'] ?? 'identity') !== 'identity') {
    return fail('upstream-unreadable');
  }
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return fail('upstream-too-large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  let taken = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) return fail('upstream-too-large');
      const more = Math.max(0, size - smallBytes) - taken;
      if (more > large.most - large.bytes) return fail('pace');
      taken += more;
      large.bytes += more;
      chunks.push(chunk);
    }
  } catch (error) {
    failed?.(error);
    return fail('upstream-unreachable');
  } finally {
    large.bytes -= taken;
  }
  const retryAt = readRetryAfter(incoming.headers['retry-after'], now());
  const contentType = incoming.headers['content-type'] ?? '';
  return succeed(omitUndefined({ status, contentType, body: Buffer.concat(chunks), retryAt }));
}

class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

/** Tells whether an address is private, loopback, link-local or reserved. @param address IPv4 or IPv6, without brackets */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  const host = isIP(plain) === 6 ? `[${plain}]` : plain;
  return !URL.canParse(`http://${host}`) || isLocalHost(new URL(`http://${host}`).hostname);
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Resolves names like `dns.lookup`, and refuses a name with any private address. The checked addresses are those that are connected to, so
 * a name cannot change in between.
 */
export function createPublicLookup(resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const addresses = error === null ? found : [];
      const [first] = addresses;
      if (error !== null || first === undefined) {
        callback(error ?? new Error('No address'), []);
      } else if (addresses.some(({ address }) => isPrivateAddress(address))) {
        callback(new PrivateAddress('The name leads to a private address.'), []);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

const publicLookup = createPublicLookup();
