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

/** Returns the connections that the open job waits for, updated each second while it runs. */
export function useStandstills(isRunning: () => boolean): Ref<readonly ShownWait[]> {
  const { t } = useI18n();
  const formats = useFormats();
  const bulk = useBulk();
  const now = usePort(clockPort);
  const { faultHeadline, nameOf } = useVerdictMessages();

  const standstills = ref<readonly ShownWait[]>([]);
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
    };
    tell();
    if (!isRunning()) return;
    const ticking = setInterval(tell, 1000);
    onCleanup(() => {
      clearInterval(ticking);
    });
  });
  return standstills;
}
