import type { ReplyTemplate } from '#core/reply-templates/template';

type Identity = Pick<ReplyTemplate, 'id' | 'language'>;

/** Returns the name of a template in a list of what somebody brought or locks. */
export function templateKey({ id, language }: Identity): string {
  return `${id} ${language}`;
}

/** Tells whether a list names a template. Lists of earlier versions hold the id alone, which names it in every language. */
export function namesTemplate(names: readonly string[], template: Identity): boolean {
  return names.includes(templateKey(template)) || names.includes(template.id);
}
