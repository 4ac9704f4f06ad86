import type { ReplySettings } from '#core/reply-templates/index';
import { succeed } from '#core/result';
import type { ReplyTemplateStore } from '#stores/reply-templates/ports';

/** Keeps reply templates in memory, as several pages share them. */
export function createMemoryReplies(initial?: unknown): ReplyTemplateStore & {
  /** What was written, the oldest first. */
  readonly written: ReplySettings[];
} {
  let stored = initial;
  const written: ReplySettings[] = [];
  const watching: (() => void)[] = [];
  return {
    written,
    read: () => Promise.resolve(stored),
    change: (edit) => {
      const settings = edit(stored);
      stored = structuredClone(settings);
      written.push(settings);
      for (const tell of watching) tell();
      return Promise.resolve(succeed(settings));
    },
    watch: (tell) => {
      watching.push(tell);
    },
  };
}
