import { authoritySection } from '#sandbox/authority/section';
import { type RunningAuthority, startAuthority } from '#sandbox/authority/server';
import { type Sandbox, startSandbox } from '#sandbox/server';

export interface WholeSandbox {
  readonly seller: Sandbox;
  readonly authority: RunningAuthority;
  /** May be called again, as by a second signal. */
  readonly close: () => Promise<void>;
}

/**
 * Starts seller API and license authority over one database, each at its own port, with one page at the seller's `/` for both.
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
    const authority = await startAuthority({
      port: authorityPort,
      db,
      sellerOrigin: seller.origin,
    });
    seller.addSection(authoritySection(authority));
    seller.attachFrom(`${authority.origin}/samples/`);
    const close = async (): Promise<void> => {
      await Promise.all([seller.close(), authority.close()]);
    };
    let closing: Promise<void> | undefined;
    return { seller, authority, close: () => (closing ??= close()) };
  } catch (error) {
    await seller.close();
    throw error;
  }
}
