import { useI18n } from '#components/i18n';

import {
  type VerdictHeadline,
  useVerdictMessages,
} from '#components/check/verdict/verdict-messages';
import { useFormats } from '#components/formats';
import { type OutcomeSummary, isNotFound } from '#core/check/check-report';

/** Tells what one connection answered about a code; without an outcome, it is still being asked. */
export interface OneAnswer {
  readonly connectionId: string;
  /** Its name then, where it may be deleted now. */
  readonly connectionName?: string;
  readonly outcome?: OutcomeSummary | undefined;
}

/** Words the answers that do not give a code's verdict as one line. A fault that the verdict tells as well is not said again. */
export function useOthersLine(): (
  others: readonly OneAnswer[],
  verdict: VerdictHeadline | undefined,
) => string {
  const { t } = useI18n();
  const formats = useFormats();
  const { headline, nameOf } = useVerdictMessages();

  return (others, verdict) => {
    const missing: string[] = [];
    const asked: string[] = [];
    const found: string[] = [];
    const faults = new Set<string>();
    for (const { connectionId, outcome, connectionName } of others) {
      const name = connectionName ?? nameOf(connectionId);
      if (outcome === undefined) asked.push(name);
      else if (isNotFound(outcome)) missing.push(name);
      else {
        const { title } = headline({ connectionId, outcome });
        if (outcome.ok) found.push(t('answer.also', { name, headline: title }));
        else if (title !== verdict?.title) faults.add(title);
      }
    }
    return [
      ...found,
      ...faults,
      ...(missing.length === 0 ? [] : [t('answer.notOn', { names: formats.any(missing) })]),
      ...(asked.length === 0 ? [] : [t('answer.asking', { name: formats.all(asked) })]),
    ].join(' · ');
  };
}
