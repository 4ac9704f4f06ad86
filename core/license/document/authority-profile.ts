import type { Encoding, SigningInput } from '#core/license/keys/pinned-key';

/** Names the fields of license and certificate that have a meaning here. */
export type FieldName =
  | 'domain'
  | 'installation_id'
  | 'next_validation_at'
  | 'grace_until'
  | 'product_slug'
  | 'issued_at'
  | 'expires_at'
  | 'license_id'
  | 'license_type'
  | 'kid'
  | 'typ';

/** Describes what one authority does in its own way. Everything may be left out; nothing here can make a false signature hold. */
export interface AuthorityProfile {
  /** The authority's names for fields; names left out are the spec's and ours. */
  readonly fields?: Readonly<Partial<Record<FieldName, string>>>;
  /** The one signing input that this authority uses; a signature over another is refused. */
  readonly input?: SigningInput;
  /** The one encoding of its certificates. */
  readonly encoding?: Encoding;
  /** Its words for `typ`. */
  readonly types?: { readonly license?: string; readonly certificate?: string };
}

export const defaultTypes = { license: 'license', certificate: 'activation-certificate' } as const;

/** What only a certificate carries, so that nothing with one of these can be passed off as a license. */
const certificateOnly = ['next_validation_at', 'grace_until', 'installation_id'] as const;

export function fieldName(field: FieldName, profile: AuthorityProfile): string {
  return profile.fields?.[field] ?? field;
}

/** Returns the names that make a document a certificate: the spec's own always, and this authority's as well. */
export function certificateNames(profile: AuthorityProfile): readonly string[] {
  return [...certificateOnly, ...certificateOnly.map((field) => fieldName(field, profile))];
}
