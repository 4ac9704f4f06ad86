/** Limits one share request, in bytes, judged while it is read. */
export const maxShareBytes = 32_000_000;

/** Holds what a request says about who sent it, as a service worker sees it. */
export interface ShareSender {
  /** The `Origin` header: null where there is none. */
  readonly origin: string | null;
  /** An address, or empty. */
  readonly referrer: string;
}

/**
 * Returns whether a share comes from a page of another site.
 *
 * The operating system names neither origin nor referrer. Nor does a foreign page that sends no referrer: such a share cannot
 * be told from the system's, so every share waits as inert text and none takes the place of another.
 * @param own origin of the verifier
 */
export function isForeignShare({ origin, referrer }: ShareSender, own: string): boolean {
  const hasForeignOrigin = origin !== null && origin !== 'null' && origin !== own;
  return hasForeignOrigin || (URL.canParse(referrer) && new URL(referrer).origin !== own);
}
