import type { InjectionKey } from 'vue';

import type { ReplySettings } from '#core/reply-templates/index';
import type { Result } from '#core/result';

/** Stores the reply templates. Reading returns unknown data, which `readReplySettings` validates. */
export interface ReplyTemplateStore {
  readonly read: () => Promise<unknown>;
  /**
   * Applies `edit` to the stored settings atomically, and returns the result. Never overwrites the templates of a newer
   * version of the program.
   */
  readonly change: (
    edit: (present: unknown) => ReplySettings,
  ) => Promise<Result<ReplySettings, { readonly kind: 'newer-version' }>>;
  /** Calls back when this or another page wrote them. */
  readonly watch: (written: () => void) => void;
}

/** Opens the store; null if there is none, as on the site. */
export const replyTemplatesPort: InjectionKey<(() => Promise<ReplyTemplateStore>) | null> =
  Symbol('reply templates');
