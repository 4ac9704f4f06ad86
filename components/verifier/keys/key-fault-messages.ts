import { useI18n } from '#components/i18n';

import { useFormats } from '#components/formats';
import type { KeyFault } from '#stores/verifier/index';

/** Returns a function that says why a text is no usable key. */
export function useKeyFaultMessages(): (fault: KeyFault) => string {
  const { t } = useI18n();
  const formats = useFormats();
  return (fault) => {
    switch (fault.kind) {
      case 'private-key':
        return t('verifier.keys.fault.privateKey');
      case 'other-algorithm':
        return t('verifier.keys.fault.otherAlgorithm', { algorithm: fault.algorithm });
      case 'several-keys':
        return t('verifier.keys.fault.severalKeys', { count: fault.count });
      case 'wrong-length':
        return t('verifier.keys.fault.wrongLength', { bytes: fault.bytes });
      case 'too-large':
        return t('verifier.keys.fault.tooLarge', { limit: formats.bytes(fault.limitBytes) });
      case 'unreadable':
        return t('verifier.keys.fault.unreadable');
      case 'not-stored':
        return t('verifier.keys.fault.notStored');
      case 'verifier-lost':
        return t('verifier.keys.fault.verifierLost');
      case 'not-canonical':
      case 'off-curve':
      case 'small-order':
      case 'torsion':
        return [
          t(
            fault.kind === 'off-curve' || fault.kind === 'not-canonical'
              ? 'verifier.keys.fault.noPoint'
              : 'verifier.keys.fault.weak',
          ),
          ...(fault.maybePrivate ? [t('verifier.keys.fault.maybePrivate')] : []),
        ].join(' ');
    }
  };
}
