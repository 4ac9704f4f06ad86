import type { ReplySettings, ReplyTemplate } from '#core/reply-templates/template';

type Identity = Pick<ReplyTemplate, 'id' | 'language'>;

/** Returns the name of a template in a list of what somebody added or locks. */
export function templateKey({ id, language }: Identity): string {
  return `${id} ${language}`;
}

/**
 * Tells whether two templates are the same one, perhaps changed. The built-in ones have the same ids in every language,
 * and keep them once an agent has changed them.
 */
export function isSameTemplate(one: Identity, other: Identity): boolean {
  return templateKey(one) === templateKey(other);
}

export function namesTemplate(names: readonly string[], template: Identity): boolean {
  return names.includes(templateKey(template));
}

/** Changes the templates of reply settings. An empty list is stored as none. */
export function withTemplates(
  { templates = [], ...others }: ReplySettings,
  edit: (present: readonly ReplyTemplate[]) => readonly ReplyTemplate[],
): ReplySettings {
  const edited = edit(templates);
  return edited.length === 0 ? others : { ...others, templates: edited };
}

/**
 * Lays somebody else's settings over the present ones, frame by frame.
 * @param templates the list that was made of both
 */
export function mergedReplySettings(
  present: ReplySettings,
  theirs: Partial<ReplySettings>,
  templates: readonly ReplyTemplate[],
): ReplySettings {
  return {
    ...present,
    ...theirs,
    ...(templates.length > 0 && { templates }),
    ...(theirs.frames !== undefined && { frames: { ...present.frames, ...theirs.frames } }),
  };
}
