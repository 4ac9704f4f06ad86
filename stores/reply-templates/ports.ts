import type { InjectionKey } from 'vue';

import type { ReplySettings } from '#core/reply-templates/index';
import type { Result } from '#core/result';

/** Stores the reply templates. What is read is unknown data: `readReplySettings` validates it. */
export interface ReplyTemplateStore {
  readonly read: () => Promise<unknown>;
  /**
   * Writes what `edit` makes of what is stored, and returns that; nobody else writes in between. Never overwrites the
   * templates of a newer version of the program.
   */
  readonly change: (
    edit: (present: unknown) => ReplySettings,
  ) => Promise<Result<ReplySettings, { readonly kind: 'newer-version' }>>;
  /** Calls back when they were written, by this page or another. */
  readonly watch: (written: () => void) => void;
}

/** Opens the store; null where there is none: the site has no settings of its own. */
export const replyTemplatesPort: InjectionKey<(() => Promise<ReplyTemplateStore>) | null> =
  Symbol('reply templates');
