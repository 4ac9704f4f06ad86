import { computed, type ComputedRef, ref, watchEffect } from 'vue';

import { useFormats } from '#components/formats';
import { useI18n } from '#components/i18n';
import { clockPort, usePort } from '#stores/ports';

/** The longest wait that is told in seconds. */
const maxSeconds = 120;

/**
 * Says in how many seconds something is asked about again, or in how many minutes if that is not soon. Call it in a
 * component's setup.
 * @param at epoch milliseconds; undefined if nothing is awaited, and then there are no words
 */
export function useAgainWords(at: () => number | undefined): ComputedRef<string | undefined> {
  const { t } = useI18n();
  const formats = useFormats();
  const now = usePort(clockPort);
  const present = ref(now());
  watchEffect((onCleanup) => {
    if (at() === undefined) return;
    present.value = now();
    const ticking = setInterval(() => (present.value = now()), 1000);
    onCleanup(() => {
      clearInterval(ticking);
    });
  });
  return computed(() => {
    const until = at();
    if (until === undefined) return undefined;
    const seconds = Math.max(0, Math.ceil((until - present.value) / 1000));
    return seconds > maxSeconds
      ? t('step.againWhen', { when: formats.relative(until, present.value) })
      : t('step.again', { seconds });
  });
}
