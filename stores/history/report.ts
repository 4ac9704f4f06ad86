import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { type HistoryEntry, type MonthReport, monthReportOf } from '#core/history/index';
import {
  aroundMonth,
  createZone,
  dayMs,
  daysOfMonth,
  monthAt,
  monthsBetween,
  type Zone,
} from '#core/time/index';
import { useBulk } from '#stores/bulk/bulk';
import { historyPort } from '#stores/history/ports';
import { createUnfinishedJobs } from '#stores/history/unfinished-jobs';
import { latest } from '#stores/latest';
import { clockPort, usePort, askPort } from '#stores/ports';
import type { JoinedTeam, TeamFault, TeamReport } from '#core/team/index';

/** Counts the checks of one month, from the history of this browser. */
export const useMonthReport = defineStore('month-report', () => {
  const port = usePort(historyPort);
  const now = usePort(clockPort);

  const zone = shallowRef<Zone>();
  /** The months that may have checks, latest first. */
  const months = ref<string[]>([]);
  const month = ref('');
  const withBulk = ref(false);
  /** How many days the history keeps a check. */
  const days = ref(0);
  const entries = shallowRef<HistoryEntry[]>();
  const unfinished = createUnfinishedJobs(port, useBulk());
  const reads = latest();

  function reportOf(countsBulk: boolean): MonthReport | undefined {
    if (entries.value === undefined || zone.value === undefined) return undefined;
    const { unasked } = unfinished;
    return monthReportOf(entries.value, month.value, zone.value, countsBulk, unasked.value);
  }
  /** Undefined until the month has been read. */
  const report = computed(() => reportOf(withBulk.value));
  /** The number of checks if all of the month were bulk checks, which are not counted; otherwise 0. */
  const uncounted = computed(() =>
    report.value?.checks === 0 ? (reportOf(true)?.checks ?? 0) : 0,
  );
  /** Whether the history no longer keeps the first checks of the month. */
  const isPartial = computed(() => {
    if (zone.value === undefined) return false;
    const end = monthAt(now() - days.value * dayMs, zone.value);
    return month.value <= end;
  });

  /** @param inZone the time zone of the months */
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
    const [read, jobs] = await Promise.all([
      port.latest(Infinity, aroundMonth(chosen)),
      unfinished.read(),
    ]);
    if (!isLatest()) return;
    entries.value = read;
    unfinished.jobs.value = jobs;
  }

  return { months, month, withBulk, days, report, uncounted, isPartial, load, choose };
});

/** How many months can be chosen, since the relay does not report how far back its audit goes. */
const offeredMonths = 12;

/** Gets the report of the whole team's checks in one month from the relay. */
export const useTeamReport = defineStore('team-report', () => {
  const ask = usePort(askPort);
  const now = usePort(clockPort);

  const team = shallowRef<JoinedTeam>();
  /** The UTC months that can be chosen, latest first. */
  const months = ref<string[]>([]);
  const month = ref('');
  const answer = shallowRef<TeamReport>();
  const fault = shallowRef<TeamFault>();
  const reads = latest();

  /** Undefined until the relay has answered. It has every day of the month. */
  const report = computed<TeamReport | undefined>(() => {
    const { value } = answer;
    if (value === undefined) return undefined;
    const days = new Map(value.days.map((day) => [day.name, day]));
    const verdicts = { found: 0, 'not-found': 0, 'other-answer': 0, 'no-answer': 0 };
    return {
      ...value,
      days: daysOfMonth(value.month).map(
        (name) => days.get(name) ?? { name, checks: 0, verdicts, agents: 0 },
      ),
    };
  });

  async function findTeam(): Promise<void> {
    team.value = (await ask('team.state', {})).joined ?? undefined;
  }

  /** Requests the chosen month, initially the present one. */
  async function load(): Promise<void> {
    const present = new Date(now());
    const first = Date.UTC(present.getUTCFullYear(), present.getUTCMonth() - offeredMonths + 1);
    months.value = monthsBetween(first, now(), createZone('UTC'));
    await choose(months.value.includes(month.value) ? month.value : (months.value[0] ?? ''));
  }

  async function choose(chosen: string): Promise<void> {
    const { isLatest } = reads.begin();
    month.value = chosen;
    const reply = await ask('team.report', { month: chosen });
    if (!isLatest()) return;
    answer.value = reply.ok ? reply.value : undefined;
    fault.value = reply.ok ? undefined : reply.fault;
  }

  return { team, months, month, report, fault, findTeam, load, choose };
});
