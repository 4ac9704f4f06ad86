import type { LinkedFileFault } from '#core/verifier/index';

/** The limit of one share request, in bytes, checked while it is read. */
export const maxShareBytes = 32_000_000;

/** A text or files that another app, or another of our pages, has handed over to open in the verifier. */
export interface SharedContent<Content> {
  readonly id: string;
  /** The agent asked a moment ago to open it here, so it needs no further confirmation. */
  readonly asked?: true;
  /** Whether more files were dropped than are opened at once. */
  readonly cut?: boolean;
  /** A linked file that could not be fetched, and why. */
  readonly notFetched?: { readonly name: string; readonly kind: LinkedFileFault };
  readonly text: string;
  readonly files: readonly {
    readonly name: string;
    /** Bytes. */
    readonly size: number;
    /** Absent if the file is too large: then only its name is kept. */
    readonly content?: Content;
  }[];
  /** How many files were not kept because there were too many. */
  readonly filesLeftOut?: number;
  /** Whether the share was too large; then none of it was kept. */
  readonly tooLarge?: boolean;
  /** How many shares wait after this one. */
  readonly more?: number;
  /** How many later shares were not kept because too many waited. */
  readonly missed?: number;
}

/** The headers of a request that say who sent it, as a service worker sees them. */
export interface ShareSender {
  /** The `Origin` header; null if there is none. */
  readonly origin: string | null;
  /** An address, or empty. */
  readonly referrer: string;
}

/**
 * Tells whether a share comes from a page of another site.
 *
 * The operating system sends neither origin nor referrer, and neither does a foreign page without a referrer. The two
 * cannot be distinguished, so every share waits as inert text and none replaces another.
 * @param own the verifier's origin
 */
export function isForeignShare({ origin, referrer }: ShareSender, own: string): boolean {
  const hasForeignOrigin = origin !== null && origin !== 'null' && origin !== own;
  return hasForeignOrigin || (URL.canParse(referrer) && new URL(referrer).origin !== own);
}
