import { useI18n } from '#components/i18n';

import { useFormats } from '#components/formats';
import { visibleText } from '#core/text/visible-text';
import type { ActivationFault } from '#core/installation/installation';
import type { RehearsalFault } from '#messaging/topics/rehearsal';
import type { NotAskedFault } from '#stores/authority/answered';

/** Names every fault of asking an authority or of using its answer. */
export type AnyFault = ActivationFault | RehearsalFault | NotAskedFault;

/** Returns the sentence for each kind of fault; a document's fault also gives its reason. */
export function useAuthorityFaultMessages(): (fault: AnyFault) => string {
  const i18n = useI18n();
  const { t } = i18n;
  const formats = useFormats();

  const reasonOf = (kind: string): string => {
    const key = `verifier.check.shared.${kind}.say`;
    return i18n.has(key) ? t(key) : '';
  };

  return (fault) => {
    switch (fault.kind) {
      case 'mismatch':
        return t(`authority.fault.mismatch.${fault.document}.${fault.of}`);
      case 'license-unreadable':
      case 'license-not-genuine':
      case 'certificate-unreadable':
      case 'certificate-not-genuine':
        return [t(`authority.fault.${fault.kind}`), reasonOf(fault.fault.kind)].join(' ').trim();
      case 'timeout':
        return t('authority.fault.timeout', { seconds: Math.round(fault.afterMs / 1000) });
      case 'too-large':
        return t('authority.fault.too-large', { limit: formats.bytes(fault.limitBytes) });
      case 'not-json':
      case 'no-answer':
      case 'no-control':
        return t(`authority.fault.${fault.kind}`, { status: fault.status });
      case 'refused':
        return t('authority.fault.refused', { msg: visibleText(fault.msg) });
      case 'not-permitted':
        return t('authority.fault.not-permitted', { origin: fault.origin });
      case 'offline':
      case 'unreachable':
      case 'redirected':
      case 'no-certificate':
      case 'older-certificate':
      case 'vault':
      case 'no-authority':
      case 'not-test':
      case 'no-token':
      case 'token-refused':
      case 'worker-lost':
        return t(`authority.fault.${fault.kind}`);
    }
  };
}
