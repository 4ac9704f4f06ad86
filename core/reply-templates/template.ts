import * as v from 'valibot';

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
