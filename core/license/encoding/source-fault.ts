/** Tells why a source holds nothing that could be judged. */
export type SourceFault =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  | { readonly kind: 'zip' }
  | { readonly kind: 'image' }
  | { readonly kind: 'pdf' }
  /** A document of an office program. */
  | { readonly kind: 'office' }
  | { readonly kind: 'binary' }
  /** JSON nested deeper than is read. */
  | { readonly kind: 'too-deep' }
  /** A key rather than a license: a public one, as far as can be told. */
  | { readonly kind: 'key' }
  /** A private key, which must be replaced now that it was handed on. */
  | { readonly kind: 'private-key' };

export const fileLimitBytes = 256 * 1024;
