/** One request to a seller API, ready to be sent. It holds the API key: it never leaves the worker and is never logged. */
export interface SellerRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `multipart` fields become a form body whose boundary the runtime chooses. */
  readonly body?:
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'multipart'; readonly fields: readonly (readonly [string, string])[] };
  /** Until the last byte of the reply. */
  readonly timeoutMs: number;
  /** The reply is cut off beyond this size, in bytes after content decoding. */
  readonly maxBytes: number;
}

/** A whole reply as it came, before anything in it is believed. Redirects and broken connections never become one. */
export interface RawReply {
  readonly status: number;
  /** The `Content-Type` header, `''` where there is none. */
  readonly contentType: string;
  readonly body: Uint8Array;
  /** From `Retry-After` (seconds or a date), epoch milliseconds. */
  readonly retryAt?: number;
}
