import { useI18n } from '#components/i18n';

import { useFormats } from '#components/formats';
import { fillOf } from '#components/verifier/result/message-values';
import type { Check, Facts } from '#core/license/inspect/inspection';

export interface CheckMessages {
  readonly title: string;
  readonly sentence: string;
  /** What stands behind it, where there is more to say. */
  readonly detail: string | undefined;
  /** What to tell the customer, where there is something to tell. */
  readonly tell: string | undefined;
}

/** Words a check: `verifier.check.<id>.<reason>` with `say`, and where there is more `detail` and `tell`. */
export function useCheckMessages(): (check: Check, moment: number) => CheckMessages {
  const i18n = useI18n();
  const { t } = i18n;
  const formats = useFormats();

  /** Names the fields that two documents share as the tables of their claims do. */
  function namesOf({ fields = '' }: Facts): string {
    const claims = String(fields).replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
    return formats.all(claims.split(', ').map((claim) => t(`verifier.claims.name.${claim}`)));
  }

  return ({ id, reason, data }, moment) => {
    const own = `verifier.check.${id}.${reason}`;
    // Reasons that several checks share (a wrapped payload, a revoked key) are worded once.
    const key = i18n.has(`${own}.say`) ? own : `verifier.check.shared.${reason}`;
    const fill = fillOf(
      reason === 'agrees' ? { ...data, fields: namesOf(data) } : data,
      moment,
      formats,
    );
    const optional = (part: 'detail' | 'tell'): string | undefined =>
      i18n.has(`${key}.${part}`) ? t(`${key}.${part}`, fill) : undefined;
    return {
      title: t(`verifier.check.${id}.title`),
      sentence: t(`${key}.say`, fill),
      detail: optional('detail'),
      tell: optional('tell'),
    };
  };
}
