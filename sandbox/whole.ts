import { html } from 'hono/html';

import { startAuthority } from '#sandbox/authority/server';
import type { RunningAuthority } from '#sandbox/authority/server';
import { PortInUse } from '#sandbox/listen';
import { copyable } from '#sandbox/pages/copyable';
import type { Section } from '#sandbox/pages/section';
import { startSandbox } from '#sandbox/server';
import type { Sandbox } from '#sandbox/server';

export interface WholeSandbox {
  readonly seller: Sandbox;
  readonly authority: RunningAuthority;
  readonly close: () => Promise<void>;
}

/**
 * Seller API and license authority over one database, each at its own port, with one page at the seller's `/` for both.
 *
 * Rejects with `PortInUse`, and leaves nothing running, when either port is taken.
 * @param options.db a file; of `:memory:` each of the two has its own
 */
export async function startWholeSandbox(options: {
  readonly port: number;
  readonly authorityPort: number;
  readonly db: string;
}): Promise<WholeSandbox> {
  const { port, authorityPort, db } = options;
  const seller = await startSandbox({ port, db });
  try {
    const authority = await startAuthority({ port: authorityPort, db });
    seller.addSection(authoritySection(authority));
    return {
      seller,
      authority,
      close: async () => {
        await Promise.all([seller.close(), authority.close()]);
      },
    };
  } catch (error) {
    await seller.close();
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw taken ? new PortInUse(authorityPort) : error;
  }
}

function authoritySection({ origin, publicKey, tokens }: RunningAuthority): Section {
  return {
    id: 'authority',
    title: 'License authority',
    body: () =>
      html`<p>
          Activates, validates, issues and revokes licenses.
          <a href="${origin}/openapi">All endpoints described</a>. Its key is random for each
          database: a test key, never a live one.
        </p>
        <dl>
          <dt>Authority address</dt>
          <dd>${copyable(origin, 'authority address')}</dd>
          <dt>Public key</dt>
          <dd>${copyable(publicKey.pem.trim(), 'public key')}</dd>
          <dt>Its fingerprint</dt>
          <dd>${copyable(publicKey.fingerprint, 'fingerprint')}</dd>
          <dt>Key id</dt>
          <dd>${copyable(publicKey.id, 'key id')}</dd>
          <dt>Token of the marketplace</dt>
          <dd>${copyable(tokens.marketplace, 'token of the marketplace')}</dd>
          <dt>Token of the administrator</dt>
          <dd>${copyable(tokens.administrator, 'token of the administrator')}</dd>
        </dl>`,
  };
}
