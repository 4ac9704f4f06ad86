import { useI18n } from 'vue-i18n';

import { useLicenseType } from '#components/check/license-type';
import { useVerdictMessages } from '#components/check/verdict-messages';
import { useFormats } from '#components/formats';
import type { CheckReport } from '#core/check/check-report';
import { maskCode } from '#core/check/mask-code';

/** A report as plain lines to paste into a ticket: the sentence, then the facts with their exact UTC times. */
export function useSummary(): (report: CheckReport, code: 'masked' | 'whole') => string {
  const { t } = useI18n();
  const formats = useFormats();
  const licenseType = useLicenseType();
  const { headline, nameOf } = useVerdictMessages();

  return (report, code) => {
    const { title, why } = headline(report);
    const lines = [
      why === '' ? title : `${title} (${why})`,
      t('summary.code', { code: code === 'whole' ? report.code : maskCode(report.code) }),
    ];
    if (report.outcome.ok) {
      const answer = report.outcome.value;
      if (answer.kind === 'not-found') {
        lines.push(t('summary.said', { msg: answer.msg }));
      } else {
        const { item, licenseType: type, price, currency, date, supportedUntil } = answer.purchase;
        const moment = (at: number): { date: string; utc: string } => ({
          date: formats.date(at),
          utc: formats.utc(at),
        });
        lines.push(
          t('summary.item', { name: item.name, version: item.version, id: String(item.id) }),
          t('summary.license', { type: licenseType(type) }),
          t('summary.paid', { price: formats.money(price, currency) }),
          t('summary.bought', moment(date)),
          supportedUntil === undefined
            ? t('summary.noSupport')
            : t('summary.supported', moment(supportedUntil)),
          t('summary.downloaded', {
            answer: answer.purchase.downloaded ? t('answer.yes') : t('answer.no'),
          }),
        );
      }
    }
    const name = nameOf(report.connectionId);
    lines.push(t('summary.asked', { name, utc: formats.utc(report.checkedAt) }));
    return lines.join('\n');
  };
}
