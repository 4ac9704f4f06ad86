import * as v from 'valibot';

import { inlineMarkdown, inlineText } from '#core/text/inline-text';

/** The verdicts a reply can be about. A fault is none: there is nothing to tell a customer yet. */
export const replyVerdicts = ['supported', 'lapsed', 'no-support', 'not-found'] as const;
export type ReplyVerdict = (typeof replyVerdicts)[number];

/** The names that may stand in braces in a template, such as `{item}`. */
export const replyVariables = [
  'code',
  'item',
  'item_id',
  'version',
  'license',
  'bought',
  'supported_until',
  'support_span',
  'connection',
  'checked',
] as const;
export type ReplyVariable = (typeof replyVariables)[number];

export type ReplyValues = Readonly<Record<ReplyVariable, string>>;
export type ReplyFormat = 'plain' | 'markdown';

export interface ReplyTemplate {
  readonly id: string;
  readonly verdict: ReplyVerdict;
  readonly name: string;
  readonly text: string;
}

export interface ReplySettings {
  readonly format: ReplyFormat;
  /** The agent's own set; absent while the built-in ones are unchanged. */
  readonly templates?: readonly ReplyTemplate[];
}

/** Caps: texts in UTF-16 units, and the number of templates. */
export const replyBounds = { name: 80, text: 8000, templates: 100 } as const;

const schema = v.object({
  format: v.picklist(['plain', 'markdown']),
  templates: v.exactOptional(
    v.pipe(
      v.array(
        v.object({
          id: v.pipe(v.string(), v.maxLength(64)),
          verdict: v.picklist(replyVerdicts),
          name: v.pipe(v.string(), v.maxLength(replyBounds.name)),
          text: v.pipe(v.string(), v.maxLength(replyBounds.text)),
        }),
      ),
      v.maxLength(replyBounds.templates),
    ),
  ),
});

/** Reads stored settings; the defaults where they cannot be read. */
export function readReplySettings(stored: unknown): ReplySettings {
  const read = v.safeParse(schema, stored);
  return read.success ? read.output : { format: 'plain' };
}

const placeholder = /\{([a-z_]{1,32})\}/gu;

/**
 * Fills in the variables of a template. What stands in braces and is no variable stays as it is.
 *
 * Values come from sellers and customers, so each becomes one line that holds no link, mention or heading; in Markdown it holds
 * no markup either, and the code is set as code. The template is the agent's own text and stays as it is.
 *
 * @example fillTemplate('{item}: supported', values, 'plain') // 'Harbour theme: supported'
 */
export function fillTemplate(text: string, values: ReplyValues, format: ReplyFormat): string {
  return text.replaceAll(placeholder, (whole, name: string) => {
    const variable = replyVariables.find((each) => each === name);
    if (variable === undefined) return whole;
    const value = values[variable];
    if (format === 'plain') return inlineText(value);
    return variable === 'code' ? asCode(inlineText(value)) : inlineMarkdown(value);
  });
}

/** Lists what stands in braces and is no variable, each once: a misspelled name, most likely. */
export function unknownVariables(text: string): string[] {
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name);
  const known = new Set<string>(replyVariables);
  return [...new Set(names.filter((name) => !known.has(name)))];
}

function asCode(value: string): string {
  const bare = value.replaceAll('`', '');
  return bare === '' ? '' : `\`${bare}\``;
}
