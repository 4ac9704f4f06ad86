import { fillTemplate, unknownVariables } from '#core/replies/fill-template';
import type { ReplyFact, ReplyFacts, ReplyWord } from '#core/replies/reply-facts';
import {
  personVariables,
  type ReplyFormat,
  type ReplyFrame,
  type ReplySituation,
  type ReplyTemplate,
  type ReplyValues,
  variablesOf,
} from '#core/reply-templates/index';

/** The texts of one language that replies are made of: `replies.json` in its folder. */
export interface ReplyCatalogue extends ReplyFrame {
  readonly licenseTypes: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<ReplyWord, string>>;
  readonly templates: readonly {
    readonly id: string;
    readonly situation: ReplySituation;
    readonly name: string;
    readonly text: string;
  }[];
}

export interface ReplyStyle {
  readonly catalogue: ReplyCatalogue;
  readonly frame: ReplyFrame;
  readonly format: ReplyFormat;
  /** The agent's signature; empty if none is set. */
  readonly agent?: string;
  /** A BCP 47 tag in the language of the catalogue, for formatting dates. */
  readonly locale: string;
  /** Formats the distance between two moments: 3 days ago. */
  readonly relative: (at: number, now: number) => string;
}

/**
 * Composes a reply: greeting, body, closing. It contains only the template's own words and proven facts; a sentence
 * with an unknown fact is left out. Empty if the template is.
 */
export function composeReply(
  { values: facts }: Pick<ReplyFacts, 'values'>,
  template: Pick<ReplyTemplate, 'situation' | 'text' | 'whole'>,
  style: ReplyStyle,
): string {
  const values = wordFacts(facts, style);
  const body = fillTemplate(template.text, {
    values,
    variables: variablesOf(template.situation),
    format: style.format,
    language: style.locale,
  });
  if (template.whole === true || body === '') return body;
  return framed([body], values, style);
}

/**
 * Lists what a reply will not say of its template's variables. `unknown`: texts in braces that are no variables, which
 * stay as they are. `withoutValue`: variables without a value for these facts, which are left out.
 */
export function variableGaps(
  { values: facts }: Pick<ReplyFacts, 'values'>,
  { situation, text }: Pick<ReplyTemplate, 'situation' | 'text'>,
  style: ReplyStyle,
): { readonly unknown: readonly string[]; readonly withoutValue: readonly string[] } {
  const values = wordFacts(facts, style);
  const variables = variablesOf(situation);
  return {
    unknown: unknownVariables(text, variables),
    withoutValue: variables.filter(
      (name) => (values[name] ?? '') === '' && text.includes(`{${name}}`),
    ),
  };
}

/** The subject of one part of a reply, and the template that words it. */
export interface ReplyPart {
  readonly facts: ReplyFacts;
  readonly template: Pick<ReplyTemplate, 'situation' | 'text' | 'whole'>;
}

/**
 * Composes one reply about several purchases: a body for each, below its code, between one greeting and one closing.
 * For a single part it equals `composeReply`. Empty bodies are left out. A template with its own greeting is replaced
 * by the built-in one.
 */
export function composeReplies(parts: readonly ReplyPart[], style: ReplyStyle): string {
  const [first, ...others] = parts;
  if (first === undefined) return '';
  if (others.length === 0) return composeReply(first.facts, first.template, style);
  const bodies = parts.flatMap(({ facts, template: chosen }) => {
    const template = chosen.whole === true ? builtInOf(chosen, style) : chosen;
    const wordsOf = (text: string): string =>
      composeReply(facts, { ...template, text, whole: true }, style);
    const body = wordsOf(template.text);
    return body === '' ? [] : [[wordsOf('{code}'), body].filter((part) => part !== '').join('\n')];
  });
  // If there are several buyers, the greeting names nobody.
  const customers = new Set(parts.map(({ facts }) => wordFacts(facts.values, style).customer));
  const { customer = '' } = customers.size === 1 ? wordFacts(first.facts.values, style) : {};
  return bodies.length === 0 ? '' : framed(bodies, { customer, agent: style.agent ?? '' }, style);
}

/**
 * Returns the built-in template for a situation, to replace one with its own greeting, which a part of a longer reply
 * cannot have.
 */
function builtInOf(
  { situation }: ReplyPart['template'],
  { catalogue }: ReplyStyle,
): ReplyPart['template'] {
  const text = catalogue.templates.find((one) => one.situation === situation)?.text ?? '';
  return { situation, text };
}

function framed(bodies: readonly string[], values: ReplyValues, style: ReplyStyle): string {
  const { frame, format, locale } = style;
  const filling = { values, variables: personVariables, format, language: locale };
  const isNamed = (text: string): boolean =>
    personVariables.some((name) => text.includes(`{${name}}`));
  const [greeting, closing] = [frame.greeting.trim(), frame.closing.trim()].map((text) =>
    isNamed(text) ? fillTemplate(text, filling) : text,
  );
  return [greeting, ...bodies, closing].filter((part) => part !== '').join('\n\n');
}

/**
 * Formats a moment in UTC; a date alone does not mention UTC: 12 March 2027 at 14:05 UTC, 12 March 2027
 * @param at epoch milliseconds
 */
function utcMoment(
  { kind, at }: Extract<ReplyFact, { kind: 'moment' | 'day' }>,
  locale: string,
): string {
  const name = `${kind} ${locale}`;
  let format = utcFormats.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      ...(kind === 'moment' && { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
      timeZone: 'UTC',
    });
    utcFormats.set(name, format);
  }
  return format.format(at);
}

/** A cache: creating a format takes a hundred times as long as using it. */
const utcFormats = new Map<string, Intl.DateTimeFormat>();

function wordFacts(values: ReplyFacts['values'], style: ReplyStyle): ReplyValues {
  const words = Object.entries(values).map(([name, fact]) => [name, wordFact(fact, style)]);
  return { ...Object.fromEntries(words), agent: style.agent ?? '' } as ReplyValues;
}

function wordFact(fact: ReplyFact, { catalogue, locale, relative }: ReplyStyle): string {
  switch (fact.kind) {
    case 'text':
      return fact.text;
    case 'moment':
    case 'day':
      return utcMoment(fact, locale);
    case 'span':
      return relative(fact.at, fact.now);
    case 'license-type': {
      const type = fact.sent.trim().toLowerCase();
      const { licenseTypes } = catalogue;
      return Object.hasOwn(licenseTypes, type) ? (licenseTypes[type] ?? '') : fact.sent;
    }
    case 'words':
      return joined(fact.ids.map((id) => catalogue.words[id]));
  }
}

/** Joins sentences; Chinese and Japanese have no space between two. */
function joined(sentences: readonly string[]): string {
  return sentences.join(' ').replaceAll(/(?<=[。！？]) /gu, '');
}
