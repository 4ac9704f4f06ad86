import type { Context, Hono } from 'hono';

import { marketplaceIds } from '#core/marketplaces/index';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';

/**
 * The export `emulation` of a marketplace's file. The file is named after the marketplace's id, and nothing else in the
 * sandbox mentions it.
 */
export interface Emulation<Situation extends string = string> {
  readonly title: string;
  readonly knowsSupport?: true;
  /** The codes of the seeded purchases by situation; the first is genuine. */
  readonly codes: Readonly<Record<Situation, string>>;
  /** Each situation in words. */
  readonly situations: Readonly<Record<Situation, string>>;
  /** A description of each kind of token. `whole` has every permission that we need. */
  readonly tokens: Readonly<Record<string, string>> & { readonly whole: string };
  /** The account's store, if the marketplace answers for the codes of every store. */
  readonly store?: string;
  /**
   * Answers the requests below the marketplace's path, in its own shapes and with its own errors.
   * @param kindOf returns the kind of `token`, or of what `Authorization` carries where that argument is left out;
   * undefined for a wrong one
   * @param now returns epoch milliseconds
   */
  readonly app: (
    kindOf: (c: C, token?: string) => string | undefined,
    now: () => number,
  ) => Hono<SandboxEnvironment>;
}

export type C = Context<SandboxEnvironment>;

/** The paths below which the sandbox emulates marketplaces with an API of their own. */
export const marketplaceBases = marketplaceIds.map((id) => `/${id}` as const);

export type MarketplaceBase = (typeof marketplaceBases)[number];

export function tokenOf(c: C): string | undefined {
  return /^Bearer (\S+)$/u.exec(c.req.header('authorization') ?? '')?.[1];
}

/** Writes a moment as APIs do. @param at epoch milliseconds */
export function moment(at: number): string {
  return new Date(at).toISOString();
}
