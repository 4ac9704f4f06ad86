import * as v from 'valibot';

import { omitUndefined } from '#core/result';

/**
 * The situations of a purchase that a reply can be about. A fault is not one of them, since there is nothing to tell a
 * customer yet.
 */
export const purchaseSituations = [
  'supported',
  'lapsed',
  'no-support',
  /** Genuine; the marketplace reports no support period. */
  'genuine',
  /** The marketplace knows it but says that it does not count. */
  'void',
  /** Genuine, but for another item than the ticket is about. */
  'other-item',
  'not-found',
  /** The ticket contains no code. */
  'ask-code',
] as const;

/** The situations of a license that a reply can be about, in the order of the templates' list. */
export const licenseSituations = [
  'not-activated',
  'activated',
  'validation-due',
  'grace',
  'denied',
  'refused',
  'expired',
  'wrong-domain',
  'wrong-product',
  'other-installation',
  'mismatched',
  'unpinned-key',
  'altered',
  'unreadable',
] as const;

export type PurchaseSituation = (typeof purchaseSituations)[number];
export type LicenseSituation = (typeof licenseSituations)[number];
export type ReplySituation = PurchaseSituation | LicenseSituation;

/**
 * The variables for people: the customer, and the agent who writes the reply. They may also be used in a greeting and a
 * closing.
 */
export const personVariables = ['customer', 'agent'] as const;

/** The variables of a template about a purchase, such as `{item}`. */
export const purchaseVariables = [
  'code',
  'item',
  'item_id',
  'expected_item',
  'version',
  'license',
  'bought',
  'supported_until',
  'support_span',
  'connection',
  'checked',
  'problem',
  ...personVariables,
] as const;

/** The variables of a template about a license. */
const licenseVariables = [
  'product',
  'expected_product',
  'domain',
  'expected_domain',
  'license',
  'license_id',
  'installation',
  'expected_installation',
  'check_in',
  'grace_until',
  'expires',
  'issued',
  'checked',
  'asked_at',
  'answer',
  'problem',
  'advice',
  'note',
  ...personVariables,
] as const;

export type ReplyVariable = (typeof purchaseVariables | typeof licenseVariables)[number];

export function variablesOf(situation: ReplySituation): readonly ReplyVariable[] {
  return isOfPurchase(situation) ? purchaseVariables : licenseVariables;
}

export function isOfPurchase(situation: ReplySituation): situation is PurchaseSituation {
  return purchaseSituations.some((one) => one === situation);
}

/** The values of a reply's variables. A missing or empty value is unknown. */
export type ReplyValues = Readonly<Partial<Record<ReplyVariable, string>>>;
export type ReplyFormat = 'plain' | 'markdown';

/** The words before and after the text of every template. */
export interface ReplyFrame {
  readonly greeting: string;
  readonly closing: string;
}

export interface ReplyTemplate {
  readonly id: string;
  readonly situation: ReplySituation;
  /** A language that had built-in replies when the template was written. */
  readonly language: string;
  readonly name: string;
  readonly text: string;
  /** Whether the text includes a greeting and a closing. */
  readonly whole?: boolean;
}

/** Remembers the language of the replies to a customer, by the domain of the customer's site. */
export interface CustomerLanguage {
  readonly domain: string;
  readonly language: string;
}

export interface ReplySettings {
  readonly format: ReplyFormat;
  /** The default language of replies; absent: the page's. */
  readonly language?: string;
  /** The agent's own templates. For a situation and language without one, the built-in ones are used. */
  readonly templates?: readonly ReplyTemplate[];
  /** The agent's own greeting and closing, by language. */
  readonly frames?: Readonly<Record<string, ReplyFrame>>;
  /** Newest last. Not in settings files, since they name customers. */
  readonly customers?: readonly CustomerLanguage[];
}

/** Limits texts, in UTF-16 units, and the numbers of templates, languages and customers. */
export const replyBounds = {
  name: 80,
  text: 8000,
  frame: 400,
  language: 35,
  templates: 200,
  languages: 50,
  domain: 253,
  customers: 500,
} as const;

const languageSchema = v.pipe(
  v.string(),
  v.regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/iu),
  v.maxLength(replyBounds.language),
);
const frameTextSchema = v.pipe(v.string(), v.maxLength(replyBounds.frame));

export const sharedReplySchema = v.strictObject({
  format: v.picklist(['plain', 'markdown']),
  language: v.exactOptional(languageSchema),
  templates: v.exactOptional(
    v.pipe(
      v.array(
        v.strictObject({
          id: v.pipe(v.string(), v.maxLength(64)),
          situation: v.picklist([...purchaseSituations, ...licenseSituations]),
          language: languageSchema,
          name: v.pipe(v.string(), v.maxLength(replyBounds.name)),
          text: v.pipe(v.string(), v.maxLength(replyBounds.text)),
          whole: v.exactOptional(v.boolean()),
        }),
      ),
      v.maxLength(replyBounds.templates),
    ),
  ),
  frames: v.exactOptional(
    v.pipe(
      v.record(
        languageSchema,
        v.strictObject({ greeting: frameTextSchema, closing: frameTextSchema }),
      ),
      v.maxEntries(replyBounds.languages),
    ),
  ),
});

export const replySettingsSchema = v.object({
  ...sharedReplySchema.entries,
  customers: v.exactOptional(
    v.pipe(
      v.array(
        v.object({
          domain: v.pipe(v.string(), v.maxLength(replyBounds.domain)),
          language: languageSchema,
        }),
      ),
      v.maxLength(replyBounds.customers),
    ),
  ),
});

/** Reads stored settings, or returns the defaults if they cannot be read. */
export function readReplySettings(stored: unknown): ReplySettings {
  const read = v.safeParse(replySettingsSchema, stored);
  return read.success ? read.output : { format: 'plain' };
}

/** Returns the settings without the customers. */
export function sharedReplySettings({
  format,
  language,
  templates,
  frames,
}: ReplySettings): ReplySettings {
  return omitUndefined({ format, language, templates, frames });
}
