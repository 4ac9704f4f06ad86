import type { ReplyFacts } from '#core/replies/reply-facts';
import { type CustomerLanguage, replyBounds } from '#core/reply-templates/index';

/** The sources of a reply's language, in order of precedence. */
export interface ReplyLanguages {
  /** Chosen for this ticket. */
  readonly ticket?: string | undefined;
  /** Remembered for the customer's domain. */
  readonly customer?: string | undefined;
  /** Set for all replies. */
  readonly setting?: string | undefined;
  /** The locale of the page. */
  readonly page: string;
}

/**
 * Returns the language of a reply: the first one for which there are replies, else English.
 * @param offered the tags of the languages for which there are replies
 */
export function replyLanguageOf(
  { ticket, customer, setting, page }: ReplyLanguages,
  offered: readonly string[],
): string {
  const chosen = [ticket, customer, setting, page].find((tag) => offered.includes(tag ?? ''));
  return chosen ?? offered.find((tag) => isWrittenAlike(tag, page)) ?? 'en';
}

/** Tells whether two locales have the same language and script: `pt-PT` and `pt-BR`, but not `zh-TW` and `zh-CN`. */
function isWrittenAlike(one: string, other: string): boolean {
  const [a, b] = [new Intl.Locale(one).maximize(), new Intl.Locale(other).maximize()];
  return a.language === b.language && a.script === b.script;
}

/**
 * Returns the domain of the customer that a reply goes to, from the ticket or the license; `undefined` if neither is
 * known.
 */
export function customerDomain({ values }: ReplyFacts): string | undefined {
  const fact = values.expected_domain ?? values.domain;
  if (fact?.kind !== 'text') return undefined;
  const domain = fact.text
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '');
  return domain.length <= replyBounds.domain &&
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}.:[\]-]*$/u.test(domain)
    ? domain
    : undefined;
}

export function rememberedLanguage(
  customers: readonly CustomerLanguage[],
  domain: string | undefined,
): string | undefined {
  return customers.find((customer) => customer.domain === domain)?.language;
}

/** Remembers the language of a domain, newest last. Beyond the bound the oldest are removed. */
export function rememberLanguage(
  customers: readonly CustomerLanguage[],
  customer: CustomerLanguage,
): readonly CustomerLanguage[] {
  return [...forgetLanguage(customers, customer.domain), customer].slice(-replyBounds.customers);
}

export function forgetLanguage(
  customers: readonly CustomerLanguage[],
  domain: string,
): readonly CustomerLanguage[] {
  return customers.filter((customer) => customer.domain !== domain);
}
