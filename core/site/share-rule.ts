import type { LinkedFileFault } from '#core/verifier/index';

/** Limits one share request, in bytes, judged while it is read. */
export const maxShareBytes = 32_000_000;

/** A text or files that another app, or another page of ours, has left to be opened in the verifier. */
export interface SharedContent<Content> {
  readonly id: string;
  /** The agent asked for it to be opened here, a moment ago: it needs no second confirmation. */
  readonly asked?: true;
  /** More files were dropped than are opened at once. */
  readonly cut?: boolean;
  /** A linked file that could not be fetched, and why. */
  readonly notFetched?: { readonly name: string; readonly kind: LinkedFileFault };
  readonly text: string;
  readonly files: readonly {
    readonly name: string;
    /** Bytes. */
    readonly size: number;
    /** Absent when the file is over the cap: then only its name waits. */
    readonly content?: Content;
  }[];
  /** Files that were not kept, as there were too many. */
  readonly filesLeftOut?: number;
  /** It was over the cap: nothing of it was kept. */
  readonly tooLarge?: boolean;
  /** Shares that wait behind this one. */
  readonly more?: number;
  /** Shares that came later and were not kept, as too many waited. */
  readonly missed?: number;
}

/** The headers of a request that say who sent it, as a service worker sees them. */
export interface ShareSender {
  /** The `Origin` header: null where there is none. */
  readonly origin: string | null;
  /** An address, or empty. */
  readonly referrer: string;
}

/**
 * Returns whether a share comes from a page of another site.
 *
 * The operating system names neither origin nor referrer. Nor does a foreign page that sends no referrer: such a share
 * cannot be told from the system's, so every share waits as inert text and none takes the place of another.
 * @param own origin of the verifier
 */
export function isForeignShare({ origin, referrer }: ShareSender, own: string): boolean {
  const hasForeignOrigin = origin !== null && origin !== 'null' && origin !== own;
  return hasForeignOrigin || (URL.canParse(referrer) && new URL(referrer).origin !== own);
}
