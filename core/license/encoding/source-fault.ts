/** Why a source holds nothing that could be judged. */
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
  /** A public or private key rather than a license. */
  | { readonly kind: 'key' };

export const FILE_LIMIT_BYTES = 256 * 1024;
