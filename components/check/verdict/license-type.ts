import { useI18n } from '#components/i18n';

import { visibleText } from '#core/text/visible-text';
const known = new Set(['regular', 'extended']);

/** Names the license tier for people. The set of tiers is open (spec section 2); two have a label of their own. */
export function useLicenseType(): (sent: string) => string {
  const { t } = useI18n();
  return (sent) => {
    const tier = sent.trim().toLowerCase();
    return known.has(tier) ? t(`answer.licenseType.${tier}`) : visibleText(sent);
  };
}
