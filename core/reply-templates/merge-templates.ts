import { type ReplySettings, replyBounds } from '#core/reply-templates/template';
import type { NamedChanges } from '#core/settings/merge-list';

export interface MergedTemplates extends NamedChanges {
  readonly settings: ReplySettings;
  /** Whether another format is chosen. */
  readonly otherFormat: boolean;
  /** Whether the language, the greeting or the closing changes. */
  readonly otherFrame: boolean;
  /** Whether there would be more templates than there may be; nothing is merged then. */
  readonly tooMany: boolean;
}

/** Merges the templates of a settings file: those of the same id are replaced, the agent's others stay. */
export function mergeTemplates(present: ReplySettings, file: ReplySettings): MergedTemplates {
  const own = present.templates ?? [];
  const theirs = file.templates ?? [];
  // Both were read by one schema, which orders their members.
  const isSame = (one: unknown, other: unknown): boolean =>
    JSON.stringify(one) === JSON.stringify(other);
  const fresh = theirs.filter(({ id }) => !own.some((one) => one.id === id));
  const changed = theirs.filter((template) => {
    const before = own.find(({ id }) => id === template.id);
    return before !== undefined && !isSame(before, template);
  });
  const merged = [...own.map((one) => changed.find(({ id }) => id === one.id) ?? one), ...fresh];
  const tooMany = merged.length > replyBounds.templates;
  const settings = {
    ...present,
    ...file,
    ...(merged.length > 0 && { templates: merged }),
    ...(file.frames !== undefined && { frames: { ...present.frames, ...file.frames } }),
  };
  return {
    ...{ settings: tooMany ? present : settings, tooMany },
    added: tooMany ? [] : fresh.map(({ name }) => name),
    changed: tooMany ? [] : changed.map(({ name }) => name),
    otherFormat: !tooMany && file.format !== present.format,
    otherFrame:
      !tooMany &&
      !(isSame(settings.frames, present.frames) && isSame(settings.language, present.language)),
  };
}
