import { useI18n } from '#components/i18n';

import { useVerdictMessages } from '#components/check/verdict/verdict-messages';
import { useFormats } from '#components/formats';
import { visibleText } from '#core/text/index';
import type { FactValue } from '#core/verdict/index';

/** Puts a fact of a purchase into words; a moment is given to the second, in UTC. */
export function useFactWords(): (value: FactValue) => string {
  const { t } = useI18n();
  const formats = useFormats();
  const { licenseType } = useVerdictMessages();
  return (value) => {
    if ('at' in value) return formats.utc(value.at);
    if ('is' in value) return t(value.is ? 'answer.yes' : 'answer.notYet');
    if ('tier' in value) return licenseType(value.tier);
    if ('amount' in value) return formats.money(value.amount, value.currency);
    if ('text' in value) return visibleText(value.text);
    if ('number' in value) return formats.number(value.number);
    const { count, limit } = value;
    if (limit === undefined) return formats.number(count);
    return t('answer.usesOf', { count, limit, left: Math.max(0, limit - count) });
  };
}
