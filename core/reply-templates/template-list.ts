import type { ReplySettings, ReplyTemplate } from '#core/reply-templates/template';

type Identity = Pick<ReplyTemplate, 'id' | 'language'>;

/** Returns the id of a template in a list of added or locked entries. */
export function templateKey({ id, language }: Identity): string {
  return `${id} ${language}`;
}

/**
 * Tells whether two templates are versions of the same one. Built-in templates have the same ids in every language, and
 * keep them when an agent changes them.
 */
export function isSameTemplate(one: Identity, other: Identity): boolean {
  return templateKey(one) === templateKey(other);
}

export function namesTemplate(names: readonly string[], template: Identity): boolean {
  return names.includes(templateKey(template));
}

/** Replaces the templates of reply settings. An empty list is stored as an absent member. */
export function withTemplates(
  { templates = [], ...others }: ReplySettings,
  edit: (present: readonly ReplyTemplate[]) => readonly ReplyTemplate[],
): ReplySettings {
  const edited = edit(templates);
  return edited.length === 0 ? others : { ...others, templates: edited };
}

/**
 * Merges imported settings into the present ones, frame by frame.
 * @param templates the already merged list
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
