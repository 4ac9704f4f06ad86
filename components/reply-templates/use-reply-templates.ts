import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import { replyVariables, type ReplyTemplate } from '#core/reply-templates/template';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';

const builtIn = [
  { id: 'supported-short', verdict: 'supported' },
  { id: 'supported-details', verdict: 'supported' },
  { id: 'lapsed-renew', verdict: 'lapsed' },
  { id: 'lapsed-once', verdict: 'lapsed' },
  { id: 'no-support', verdict: 'no-support' },
  { id: 'not-found-receipt', verdict: 'not-found' },
  { id: 'not-found-other', verdict: 'not-found' },
] as const;

/** Returns the agent's templates, or else the built-in ones. */
export function useReplyTemplates(): ComputedRef<readonly ReplyTemplate[]> {
  const { t } = useI18n();
  const reply = useReplyTemplateSettings();
  /** Leaves the variables in the text: they are filled in for each customer. */
  const asThemselves = Object.fromEntries(replyVariables.map((name) => [name, `{${name}}`]));
  return computed(
    () =>
      reply.settings.templates ??
      builtIn.map(({ id, verdict }) => ({
        id,
        verdict,
        name: t(`reply.builtIn.${id}.name`),
        text: t(`reply.builtIn.${id}.text`, asThemselves),
      })),
  );
}
