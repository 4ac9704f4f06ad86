import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import type { HistoryEntry } from '#core/history/entry';
import {
  aroundMonth,
  monthAt,
  monthReportOf,
  monthsBetween,
  type MonthReport,
} from '#core/history/month-report';
import type { Zone } from '#core/time/duration';
import { dayMs } from '#core/time/units';
import { historyPort } from '#stores/history/ports';
import { latest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';

/** Counts the checks of one month, from the history of this browser. */
export const useMonthReport = defineStore('month-report', () => {
  const port = usePort(historyPort);
  const now = usePort(clockPort);

  const zone = shallowRef<Zone>();
  /** The months that there may be checks of, the latest first. */
  const months = ref<string[]>([]);
  const month = ref('');
  const withBulk = ref(true);
  /** How many days the history keeps a check. */
  const days = ref(0);
  const entries = shallowRef<HistoryEntry[]>();
  const reads = latest();

  /** Undefined until the month was read. */
  const report = computed<MonthReport | undefined>(() =>
    entries.value === undefined || zone.value === undefined
      ? undefined
      : monthReportOf(entries.value, month.value, zone.value, withBulk.value),
  );
  /** Whether the history no longer keeps the first checks of the month. */
  const isPartial = computed(() => {
    if (zone.value === undefined) return false;
    const end = monthAt(now() - days.value * dayMs, zone.value);
    return month.value <= end;
  });

  /** @param inZone the zone whose calendar the months are of */
  async function load(inZone: Zone): Promise<void> {
    const [oldest, settings] = await Promise.all([port.oldest(), port.settings()]);
    zone.value = inZone;
    days.value = settings.days;
    months.value = monthsBetween(oldest ?? now(), now(), inZone);
    await choose(months.value.includes(month.value) ? month.value : (months.value[0] ?? ''));
  }

  async function choose(chosen: string): Promise<void> {
    const { isLatest } = reads.begin();
    month.value = chosen;
    const read = await port.latest(Infinity, aroundMonth(chosen));
    if (isLatest()) entries.value = read;
  }

  return { months, month, withBulk, days, report, isPartial, load, choose };
});
