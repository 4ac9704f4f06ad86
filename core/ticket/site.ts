import { isSafeOrigin } from '#core/connections/origin';

/** A help desk in whose pages the agent wants to see verdicts. */
export interface Site {
  /** As the browser writes it, with a port where there is one: `https://desk.example.com`. */
  readonly origin: string;
  /** Codes are checked as soon as they are seen, rather than when a chip is clicked. */
  readonly automatic: boolean;
}

export const siteBounds = { origin: 300, sites: 100 } as const;

/**
 * The origin of a page where the ticket script may be allowed: https, or http on loopback. `undefined` for every other
 * page, as no permission could be asked for there.
 */
export function siteOriginOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.origin.length <= siteBounds.origin && isSafeOrigin(url) ? url.origin : undefined;
}
