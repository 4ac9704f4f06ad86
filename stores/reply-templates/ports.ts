import type { InjectionKey } from 'vue';

import type { ReplySettings } from '#core/reply-templates/template';
import type { Result } from '#core/result';

/** Stores the reply templates. What is read is unknown data: `readReplySettings` validates it. */
export interface ReplyTemplateStore {
  /** Set where nothing is stored: the site has no settings of its own. */
  readonly keepsNothing?: true;
  readonly read: () => Promise<unknown>;
  /** Writes nothing over the templates of a newer version of the program. */
  readonly write: (
    settings: ReplySettings,
  ) => Promise<Result<void, { readonly kind: 'newer-version' }>>;
}
export const replyTemplatesPort: InjectionKey<ReplyTemplateStore> = Symbol('reply templates');
