import type { InjectionKey } from 'vue';

/** Stores the reply templates. What is read is unknown data: `readReplySettings` validates it. */
export interface ReplyTemplateStore {
  readonly read: () => Promise<unknown>;
  readonly write: (settings: object) => Promise<void>;
}
export const replyTemplatesPort: InjectionKey<ReplyTemplateStore> = Symbol('reply templates');
