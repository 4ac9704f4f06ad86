import { randomBytes } from 'node:crypto';

import { Hono, type MiddlewareHandler } from 'hono';

import { marketplaceIds } from '#core/marketplaces/index';
import {
  type Emulation,
  type MarketplaceBase,
  marketplaceBases,
  tokenOf,
} from '#sandbox/marketplaces/emulation';
import { injectFault, type PendingFaults, takeFault } from '#sandbox/seller/faults';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';

/** Every marketplace that a connection may name, from the file with its id. */
export const emulations = Object.fromEntries(
  await Promise.all(
    marketplaceIds.map(async (id) => {
      const file = (await import(/* @vite-ignore */ `./${id}.ts`)) as { emulation: Emulation };
      return [id, file.emulation] as const;
    }),
  ),
) as Readonly<Record<(typeof marketplaceIds)[number], Emulation>>;

/** The tokens of the emulated marketplaces by kind; random, and new at every start. */
export type AllTokens = Readonly<
  Record<MarketplaceBase, Readonly<Record<string, string>> & { readonly whole: string }>
>;

export function createTokens(): AllTokens {
  return Object.fromEntries(
    marketplaceIds.map((id) => [
      `/${id}`,
      Object.fromEntries(
        Object.keys(emulations[id].tokens).map((kind) => [kind, randomBytes(20).toString('hex')]),
      ),
    ]),
  ) as AllTokens;
}

/**
 * Emulates the marketplaces that have an API of their own, each below its path, according to their documents,
 * open-source clients and recordings (docs/marketplaces.md).
 * @param now returns epoch milliseconds
 */
export function createMarketplaces(
  tokens: AllTokens,
  faults: PendingFaults,
  now: () => number,
): Hono<SandboxEnvironment> {
  const app = new Hono<SandboxEnvironment>();
  for (const base of marketplaceBases) app.use(`${base}/*`, injecting(base, faults));
  for (const id of marketplaceIds) {
    const kinds = new Map(Object.entries(tokens[`/${id}`]).map(([kind, token]) => [token, kind]));
    app.route(
      `/${id}`,
      emulations[id].app((c, token = tokenOf(c)) => kinds.get(token ?? ''), now),
    );
  }
  return app;
}

/** Injects the pending faults of a base address; each applies to any request. */
function injecting(
  base: MarketplaceBase,
  faults: PendingFaults,
): MiddlewareHandler<SandboxEnvironment> {
  return async (c, next) => {
    const command = takeFault(faults, base, 'validation');
    if (command === undefined) {
      await next();
      return undefined;
    }
    if (command.fault !== 'too-many-429') return injectFault(c, next, command);
    return c.json({ error: 429, description: 'Rate limit exceeded' }, 429, {
      'retry-after': String(command.retryAfter),
    });
  };
}
