import {
  personVariables,
  type ReplyFormat,
  type ReplyValues,
  type ReplyVariable,
} from '#core/reply-templates/index';
import { directionOf, inlineMarkdown, inlineText, isolated } from '#core/text/index';

const placeholder = /\{([a-z_]{1,32})\}/gu;

export interface Filling {
  readonly values: ReplyValues;
  /** The names that are variables; any other stays in the text unchanged. */
  readonly variables: readonly ReplyVariable[];
  readonly format: ReplyFormat;
  /** The language of the text, a BCP 47 tag. It determines where sentences end and the writing direction. */
  readonly language: string;
}

/**
 * Fills in the variables of a template. Other text in braces stays unchanged. A sentence or list line with a variable
 * that has no value is left out; if it only addresses or signs with a person's name, only the name is left out.
 *
 * In a right-to-left language, a value in Latin letters or digits is isolated, so that a code or a domain keeps its own
 * order.
 *
 * Values come from sellers and customers, so each becomes one line without links, mentions or headings; in Markdown
 * also without markup, and the code is formatted as code. The template is the agent's own text and stays unchanged.
 *
 * @example fillTemplate('{item}: supported', { values, variables, format: 'plain', language: 'en' }) // 'Harbour theme: supported'
 */
export function fillTemplate(text: string, filling: Filling): string {
  const sentences = new Intl.Segmenter(filling.language, { granularity: 'sentence' });
  const kept: string[] = [];
  let hasDropped = false;
  for (const written of text.split(/\r?\n/u)) {
    const line = withoutUnnamed(written, filling);
    if (line === undefined) {
      hasDropped = true;
      continue;
    }
    const known = sentencesOf(line, sentences).filter((sentence) => isKnown(sentence, filling));
    if (line.trim() !== '' && known.length === 0) {
      hasDropped = true;
      continue;
    }
    // If a paragraph is removed, one blank line is left between its neighbours.
    if (line.trim() === '' && hasDropped && (kept.at(-1) ?? '').trim() === '') continue;
    hasDropped = false;
    kept.push(fillIn(known.join('').trimEnd(), filling));
  }
  return kept.join('\n').trim();
}

/**
 * An addressed customer, with the adjoining punctuation: before a mark or after a comma, at the end of a line, or
 * before an honorific.
 */
const addressed =
  /(?:(?<![\s,،，、])[\s,،，、]*[,،，、]\s*\{customer\}|(?<!\s)\s*\{customer\}(?=\s*(?:[,،，、!！:：]|$|様|さま|さん|先生|जी|您好|你好)))\s*(?:様|さま|さん|先生|जी)?/gu;
/** A signing agent: at the end of a line, or after a comma. */
const signed = /(?:(?<![\s,،，、])[\s,،，、]*[,،，、]\s*\{agent\}|(?<!\s)\s*\{agent\}(?=\s*$))/gu;

/** Removes the placeholders of people whose names are unknown; undefined if nothing is left of the line. */
function withoutUnnamed(
  line: string,
  { values, variables, language }: Filling,
): string | undefined {
  const isUnnamed = (name: ReplyVariable): boolean =>
    variables.includes(name) && (values[name] ?? '') === '' && line.includes(`{${name}}`);
  if (!personVariables.some(isUnnamed)) return line;
  let rest = isUnnamed('customer') ? line.replaceAll(addressed, '') : line;
  if (isUnnamed('agent')) rest = rest.replaceAll(signed, '');
  if (rest === line) return line;
  if (!/[\p{L}\p{N}]/u.test(rest)) return undefined;
  return rest
    .replace(/^[\s,،，、:：!！]+/u, '')
    .replace(/^\p{L}/u, (first) => first.toLocaleUpperCase(language));
}

/** Lists the distinct texts in braces that are not variables: most likely misspelled names. */
export function unknownVariables(text: string, variables: readonly ReplyVariable[]): string[] {
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name);
  const known = new Set<string>(variables);
  return [...new Set(names.filter((name) => !known.has(name)))];
}

/** Splits a line into its sentences. A placeholder counts as a word that begins with a capital. */
function sentencesOf(line: string, sentences: Intl.Segmenter): string[] {
  const words = line.replaceAll(placeholder, (whole) => 'X'.repeat(whole.length));
  return [...sentences.segment(words)].map(({ index, segment }) =>
    line.slice(index, index + segment.length),
  );
}

function isKnown(sentence: string, { values, variables }: Filling): boolean {
  return [...sentence.matchAll(placeholder)].every(([, name]) => {
    const variable = variables.find((each) => each === name);
    return variable === undefined || (values[variable] ?? '') !== '';
  });
}

function fillIn(text: string, { values, variables, format, language }: Filling): string {
  const isolates = directionOf(language) === 'rtl';
  return text.replaceAll(placeholder, (whole, name: string) => {
    const variable = variables.find((each) => each === name);
    if (variable === undefined) return whole;
    const value = written(variable, values[variable] ?? '', format);
    return isolates && /[\p{Script=Latin}\d]/u.test(value) ? isolated(value) : value;
  });
}

function written(variable: ReplyVariable, value: string, format: ReplyFormat): string {
  if (format === 'plain') return inlineText(value);
  return variable === 'code' ? asCode(inlineText(value)) : inlineMarkdown(value);
}

function asCode(value: string): string {
  const bare = value.replaceAll('`', '');
  return bare === '' ? '' : `\`${bare}\``;
}
