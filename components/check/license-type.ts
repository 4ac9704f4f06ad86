import { useI18n } from 'vue-i18n';

const known = new Set(['regular', 'extended']);

/** The license tier for people: an open set of names (spec section 2), of which two have a label of their own. */
export function useLicenseType(): (sent: string) => string {
  const { t } = useI18n();
  return (sent) => {
    const tier = sent.trim().toLowerCase();
    return known.has(tier) ? t(`answer.licenseType.${tier}`) : sent;
  };
}
