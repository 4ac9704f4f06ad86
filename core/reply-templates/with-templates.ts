import type { ReplySettings, ReplyTemplate } from '#core/reply-templates/template';

/** Changes the templates of reply settings. An empty list is stored as none. */
export function withTemplates(
  { templates = [], ...others }: ReplySettings,
  edit: (present: readonly ReplyTemplate[]) => readonly ReplyTemplate[],
): ReplySettings {
  const edited = edit(templates);
  return edited.length === 0 ? others : { ...others, templates: edited };
}
