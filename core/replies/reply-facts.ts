import type { ReplySituation, ReplyVariable } from '#core/reply-templates/index';

/** One proven fact for a reply, independent of language. Moments are epoch milliseconds. */
export type ReplyFact =
  | { readonly kind: 'text'; readonly text: string }
  /** Shown with the time of day if hours matter. */
  | { readonly kind: 'moment'; readonly at: number }
  /** Shown only as a date. */
  | { readonly kind: 'day'; readonly at: number }
  /** The time from `now` to `at`. */
  | { readonly kind: 'span'; readonly at: number; readonly now: number }
  | { readonly kind: 'license-type'; readonly sent: string }
  /** Words of the reply's own language, one after the other. */
  | { readonly kind: 'words'; readonly ids: readonly ReplyWord[] };

/** The subject of a reply, and the proven facts. */
export interface ReplyFacts {
  readonly situation: ReplySituation;
  readonly values: Readonly<Partial<Record<ReplyVariable, ReplyFact>>>;
}

/** The texts that a reply takes from the catalogue of its language, named by their meaning. */
export const replyWords = [
  'this-item',
  'this-product',
  'void-refunded',
  'void-disputed',
  'void-charged-back',
  'void-disabled',
  'void-expired',
  'void-ended',
  'void-test',
  'domain-www',
  'domain-subdomain',
  'domain-local',
  'domain-staging',
  'domain-hidden',
  'other-signer',
  'refused-stated',
  'unknown-key-license',
  'unknown-key-certificate',
  'unknown-key-both',
  'key-revoked',
  'key-out-of-time',
  'key-of-other-product',
  'key-of-other-authority',
  'altered-license',
  'altered-certificate',
  'altered-both',
  'unreadable-license',
  'unreadable-certificate',
  'unreadable-both',
  'certificate-for-license',
  'license-for-certificate',
  'file-nothing',
  'file-empty',
  'file-too-large',
  'file-zip',
  'file-image',
  'file-pdf',
  'file-office',
  'file-other',
  'file-key',
  'advice-license',
  'advice-certificate',
  'advice-both',
  'advice-send-license',
  'advice-file',
  'note-test',
  'note-damaged',
] as const;
export type ReplyWord = (typeof replyWords)[number];

export function textFact(text: string | undefined): ReplyFact | undefined {
  return text === undefined || text === '' ? undefined : { kind: 'text', text };
}

export function momentFact(at: number | undefined): ReplyFact | undefined {
  return at === undefined ? undefined : { kind: 'moment', at };
}

export function dayFact(at: number | undefined): ReplyFact | undefined {
  return at === undefined ? undefined : { kind: 'day', at };
}

/** Returns a fact of distinct words; `undefined` for none. */
export function wordsFact(ids: readonly ReplyWord[]): ReplyFact | undefined {
  return ids.length === 0 ? undefined : { kind: 'words', ids: [...new Set(ids)] };
}
