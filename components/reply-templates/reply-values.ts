import { useI18n } from 'vue-i18n';

import { useLicenseType } from '#components/check/license-type';
import { useVerdictMessages } from '#components/check/verdict-messages';
import { useFormats } from '#components/formats';
import type { CheckReport } from '#core/check/check-report';
import { maskCode } from '#core/check/mask-code';
import type { ReplyValues } from '#core/reply-templates/template';
import { useClock } from '#stores/clock';

/** Returns a report's value for each variable of a template; empty where it has none. */
export function useReplyValues(): (report: CheckReport, code: 'masked' | 'whole') => ReplyValues {
  const { t } = useI18n();
  const formats = useFormats();
  const moment = useClock();
  const licenseType = useLicenseType();
  const { nameOf } = useVerdictMessages();

  return (report, code) => {
    const { outcome, connectionId, checkedAt } = report;
    const answer = outcome.ok ? outcome.value : undefined;
    const purchase = answer?.kind === 'purchase' ? answer.purchase : undefined;
    const until = purchase?.supportedUntil;
    const spelling = report.foundAs ?? report.code;
    return {
      code: code === 'whole' ? spelling : maskCode(spelling),
      item: purchase?.item.name ?? t('reply.thisItem'),
      item_id: purchase === undefined ? '' : String(purchase.item.id),
      version: purchase?.item.version ?? '',
      license: purchase === undefined ? '' : licenseType(purchase.licenseType),
      bought: purchase === undefined ? '' : formats.date(purchase.date),
      supported_until: until === undefined ? '' : formats.date(until),
      support_span: until === undefined ? '' : formats.relative(until, moment.present),
      connection: nameOf(connectionId),
      checked: formats.date(checkedAt),
    };
  };
}
