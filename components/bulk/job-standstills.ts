import { ref, type Ref, watchEffect } from 'vue';

import { useVerdictMessages } from '#components/check/verdict/verdict-messages';
import { useFormats } from '#components/formats';
import { useI18n } from '#components/i18n';
import { searchIn } from '#core/marketplaces/index';
import { useBulk } from '#stores/bulk/bulk';
import { clockPort, usePort } from '#stores/ports';

/** A connection that the open job waits for. */
export interface ShownWait {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** The seconds until the next code is asked about, if known. */
  readonly seconds?: number;
  /** True if the wait is long enough to be announced by a screen reader. */
  readonly isLong?: boolean;
}

/** A wait shorter than this is over before a screen reader could announce it, in milliseconds. */
const minToldMs = 10_000;

/** Follows the waits of the open job, and how long each takes. */
interface JobProspects {
  readonly standstills: Ref<readonly ShownWait[]>;
  /** The time left in milliseconds, at least as long as the longest wait; 0 if it is not known. */
  readonly left: Ref<number>;
}

/** Returns the connections that the open job waits for and the time left, updated each second while it runs. */
export function useJobProspects(isRunning: () => boolean): JobProspects {
  const { t } = useI18n();
  const formats = useFormats();
  const bulk = useBulk();
  const now = usePort(clockPort);
  const { faultHeadline, nameOf } = useVerdictMessages();

  const standstills = ref<readonly ShownWait[]>([]);
  const left = ref(0);
  /** The end of each connection's long wait: the wait counts as long until then, however little of it is left. */
  const longUntil = new Map<string, number>();
  watchEffect((onCleanup) => {
    const tell = (): void => {
      const present = now();
      standstills.value = bulk
        .standstills()
        .map(({ connectionId: id, fault, until = present }): ShownWait => {
          const search = searchIn(fault);
          const name = nameOf(id);
          if (search !== undefined)
            return {
              id,
              name,
              title: t('answer.askingItems', {
                name,
                asked: formats.number(search.asked),
                total: formats.number(search.of),
              }),
            };
          if (fault === undefined) return { id, name, title: t('answer.asking', { name }) };
          const { title } = faultHeadline(fault, id);
          if (until - present >= minToldMs) longUntil.set(id, until);
          const isLong = longUntil.get(id) === until;
          return { id, name, title, seconds: Math.ceil((until - present) / 1000), isLong };
        });
      const waits = standstills.value.map(({ seconds = 0 }) => 1000 * seconds);
      const estimate = bulk.left();
      left.value = estimate === undefined ? 0 : Math.max(estimate, ...waits);
    };
    tell();
    if (!isRunning()) return;
    const ticking = setInterval(tell, 1000);
    onCleanup(() => {
      clearInterval(ticking);
    });
  });
  return { standstills, left };
}
