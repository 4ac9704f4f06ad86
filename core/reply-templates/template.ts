import * as v from 'valibot';

/** What a reply may be about. A fault is no verdict: there is nothing to tell a customer yet. */
export const replyVerdicts = ['supported', 'lapsed', 'no-support', 'not-found'] as const;
export type ReplyVerdict = (typeof replyVerdicts)[number];

/** Names that stand in braces in a template, such as `{item}`. */
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
  /** The agent's own set; absent while the built-in ones are as they came. */
  readonly templates?: readonly ReplyTemplate[];
}

/** Longest texts, in UTF-16 units, and the most templates. */
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

/** What cannot be read is as if never touched. */
export function readReplySettings(kept: unknown): ReplySettings {
  const read = v.safeParse(schema, kept);
  return read.success ? read.output : { format: 'plain' };
}

const places = /\{([a-z_]{1,32})\}/gu;

/**
 * A template with its variables filled in. What stands in braces and is no variable stays as it is.
 *
 * In Markdown the values cannot be taken for markup: an item named `*new*` keeps its stars, and the code is set as code.
 */
export function fillTemplate(text: string, values: ReplyValues, format: ReplyFormat): string {
  return text.replaceAll(places, (whole, name: string) => {
    const variable = replyVariables.find((each) => each === name);
    if (variable === undefined) return whole;
    const value = values[variable];
    if (format === 'plain') return value;
    return variable === 'code' ? asCode(value) : escaped(value);
  });
}

/** What stands in braces and is no variable: a slip of the pen, most likely. Each once. */
export function unknownVariables(text: string): string[] {
  const names = [...text.matchAll(places)].map(([, name = '']) => name);
  const known = new Set<string>(replyVariables);
  return [...new Set(names.filter((name) => !known.has(name)))];
}

function escaped(value: string): string {
  return value.replaceAll(/[\\`*_{}[\]<>#|~]/gu, String.raw`\$&`);
}

function asCode(value: string): string {
  const bare = value.replaceAll('`', '');
  return bare === '' ? '' : `\`${bare}\``;
}
