import { useI18n } from '#components/i18n';

import type { SecretFault } from '#core/connections/index';

/** Returns the sentence for a problem with a passphrase or its keys; undefined for none. */
export function useSecretFaultMessages(): (fault: SecretFault | undefined) => string | undefined {
  const { t } = useI18n();
  return (fault) =>
    fault === undefined
      ? undefined
      : t(`secretFault.${fault.kind}`, {
          least: fault.kind === 'passphrase-too-short' ? fault.least : 0,
        });
}
