import { replyVariables, type ReplyFormat, type ReplyValues } from '#core/reply-templates/template';
import { inlineMarkdown, inlineText } from '#core/text/inline-text';

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
