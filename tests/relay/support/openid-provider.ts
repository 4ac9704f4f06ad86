import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Provider } from 'oidc-provider';

/**
 * Runs a real OpenID provider. Who signs in as `ada` has the address `ada@fenwick.test`; one whose name ends in `?`
 * has it unconfirmed.
 */
export interface OpenIdProvider {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly identifiedBy: 'email';
  /** Registers the relay, whose callback must be known for that. */
  register(callback: string): void;
  /** Answers nothing from now on, or nothing where it hands out tokens, or all again. */
  goDown(down: boolean | '/token'): void;
  /** Publishes keys that sign nothing, under the names of those that do. */
  publishForeignKeys(): Promise<void>;
  close(): Promise<void>;
}

function verifiedEmail(id: string): object {
  const email = `${id.replace('?', '')}@Fenwick.test`;
  return { email, email_verified: !id.endsWith('?') };
}

/** Starts a provider. @param claimsOf says what it tells of somebody, which may change between two sign-ins */
export async function openIdProvider(claimsOf = verifiedEmail): Promise<OpenIdProvider> {
  const clientId = 'counterfoil-relay';
  const clientSecret = randomBytes(16).toString('hex');
  let down: boolean | '/token' = false;
  let answer: ReturnType<Provider['callback']> | undefined;
  let foreignKeys: object | undefined;
  const server = createServer((request, response) => {
    if (down === true || request.url === down || answer === undefined) request.socket.destroy();
    else if (request.url === '/jwks' && foreignKeys !== undefined)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(foreignKeys));
    else void answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    issuer: new URL(issuer),
    clientId,
    clientSecret,
    scope: 'openid email',
    identifiedBy: 'email',
    register: (callback) => {
      const provider = new Provider(issuer, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [callback] }],
        claims: {
          openid: ['sub', 'tid', 'oid', 'groups'],
          email: ['email', 'email_verified'],
        },
        cookies: { keys: [randomBytes(16).toString('hex')] },
        pkce: { required: () => true },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: () => ({ sub: id, ...claimsOf(id) }),
        }),
      });
      answer = provider.callback();
    },
    goDown: (value) => {
      down = value;
    },
    async publishForeignKeys() {
      const reply = await fetch(`${issuer}/jwks`);
      const { keys } = (await reply.json()) as { keys: readonly object[] };
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const foreign = publicKey.export({ format: 'jwk' });
      foreignKeys = { keys: keys.map((key) => ({ ...key, ...foreign })) };
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
