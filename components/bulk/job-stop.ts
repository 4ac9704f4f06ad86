import { computed, type ComputedRef, onScopeDispose } from 'vue';

import { isMended } from '#components/bulk/job-words';
import { faultMessages } from '#components/check/verdict/fault-messages';
import { useVerdictMessages } from '#components/check/verdict/verdict-messages';
import { useI18n } from '#components/i18n';
import type { BulkJob, PauseReason } from '#core/jobs/index';
import { useConnections } from '#stores/connections/connections';

/** Explains why a bulk check has stopped. */
export interface JobStop {
  readonly reason: PauseReason;
  readonly title: string;
  /** Says how to mend it; empty if the title says everything. */
  readonly why: string;
  /**
   * The step that must come before Resume: the passphrase, which the notice asks for, or a button beside Resume. Absent
   * once the connection is known to work again.
   */
  readonly step: 'unlock' | 'button' | undefined;
  /** When the key was seen to work after the stop, epoch milliseconds. */
  readonly workedAt: number | undefined;
}

/**
 * Returns what has stopped a bulk check, or undefined. Reloads the connections when the agent comes back to the page.
 */
export function useJobStop(job: () => BulkJob): ComputedRef<JobStop | undefined> {
  const { t } = useI18n();
  const connections = useConnections();
  const { faultHeadline, nameOf } = useVerdictMessages();

  function onReturn(): void {
    if (document.visibilityState === 'visible' && job().pausedBy !== undefined)
      void connections.load();
  }
  document.addEventListener('visibilitychange', onReturn);
  onScopeDispose(() => {
    document.removeEventListener('visibilitychange', onReturn);
  });

  return computed(() => {
    const { pausedBy: reason } = job();
    if (reason === undefined) return undefined;
    const workedAt = undefined;
    if (reason.kind === 'storage-full')
      return { reason, title: t('desk.full'), why: '', step: undefined, workedAt };
    const { fault, connectionId } = reason;
    if (fault.kind === 'locked')
      return {
        reason,
        title: t('desk.bulk.unlock'),
        why: t('desk.bulk.unlockWhy'),
        step: 'unlock',
        workedAt,
      };
    const connection = connections.find(connectionId);
    const { keyWorkedAt = 0 } = connection ?? {};
    const hasWorked = keyWorkedAt > reason.at;
    if (hasWorked || isMended(reason, connection)) {
      const title = t('desk.bulk.mended', { name: nameOf(connectionId) });
      return {
        reason,
        title,
        why: '',
        step: undefined,
        workedAt: hasWorked ? keyWorkedAt : undefined,
      };
    }
    const { steps } = faultMessages(fault, connection?.throughRelay);
    return {
      reason,
      ...faultHeadline(fault, connectionId),
      step: steps.some((step) => step !== 'retry') ? 'button' : undefined,
      workedAt,
    };
  });
}
