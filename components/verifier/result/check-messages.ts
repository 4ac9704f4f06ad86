import { useI18n } from 'vue-i18n';

import { useFormats } from '#components/formats';
import { fillOf } from '#components/verifier/result/message-values';
import type { Check } from '#core/license/inspect/inspection';

export interface CheckMessages {
  readonly title: string;
  readonly sentence: string;
  /** What stands behind it, where there is more to say. */
  readonly detail: string | undefined;
  /** What to tell the customer, where there is something to tell. */
  readonly tell: string | undefined;
}

/** A check in words: `verifier.check.<id>.<reason>` with `say`, and where there is more `detail` and `tell`. */
export function useCheckMessages(): (check: Check, moment: number) => CheckMessages {
  const i18n = useI18n();
  const { t } = i18n;
  const formats = useFormats();

  return ({ id, reason, data }, moment) => {
    const own = `verifier.check.${id}.${reason}`;
    // Reasons that several checks share (a wrapped payload, a revoked key) are worded once.
    const key = i18n.te(`${own}.say`) ? own : `verifier.check.shared.${reason}`;
    const fill = fillOf(data, moment, formats);
    const optional = (part: 'detail' | 'tell'): string | undefined =>
      i18n.te(`${key}.${part}`) ? t(`${key}.${part}`, fill) : undefined;
    return {
      title: t(`verifier.check.${id}.title`),
      sentence: t(`${key}.say`, fill),
      detail: optional('detail'),
      tell: optional('tell'),
    };
  };
}
