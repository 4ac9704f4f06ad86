import type { NamedChanges } from '#core/settings-import/import-settings';
import {
  isSameTemplate,
  mergedReplySettings,
  replyBounds,
  type ReplySettings,
} from '#core/reply-templates/index';

export interface MergedTemplates extends NamedChanges {
  readonly settings: ReplySettings;
  /** Whether the format changes. */
  readonly otherFormat: boolean;
  /** Whether the language, the greeting or the closing changes. */
  readonly otherFrame: boolean;
  /** Whether there would be too many templates; then nothing is merged. */
  readonly tooMany: boolean;
}

/**
 * Merges the templates of a settings file: those with the same id and language are replaced, and the agent's others
 * stay. If the file has the same template twice, the later one counts.
 */
export function mergeTemplates(present: ReplySettings, file: ReplySettings): MergedTemplates {
  const own = present.templates ?? [];
  const theirs = (file.templates ?? []).filter(
    (one, at, all) => all.findLastIndex((other) => isSameTemplate(one, other)) === at,
  );
  // Both were read by the same schema, which orders members.
  const isSame = (one: unknown, other: unknown): boolean =>
    JSON.stringify(one) === JSON.stringify(other);
  const fresh = theirs.filter((template) => !own.some((one) => isSameTemplate(one, template)));
  const changed = theirs.filter((template) => {
    const before = own.find((one) => isSameTemplate(one, template));
    return before !== undefined && !isSame(before, template);
  });
  const merged = [
    ...own.map((one) => changed.find((template) => isSameTemplate(one, template)) ?? one),
    ...fresh,
  ];
  const tooMany = merged.length > replyBounds.templates;
  const settings = mergedReplySettings(present, file, merged);
  return {
    settings: tooMany ? present : settings,
    tooMany,
    added: tooMany ? [] : fresh.map(({ name }) => name),
    changed: tooMany ? [] : changed.map(({ name }) => name),
    otherFormat: !tooMany && file.format !== present.format,
    otherFrame:
      !tooMany &&
      !(isSame(settings.frames, present.frames) && isSame(settings.language, present.language)),
  };
}
