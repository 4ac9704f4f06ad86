import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowRef, triggerRef } from 'vue';

import type { CollectedCode } from '#core/bulk/collect-codes';
import { type BulkJob, type BulkRow, type JobUpdate, rowsFor } from '#core/bulk/job';
import { rateOf, timeLeft } from '#core/bulk/progress';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';
import { jobsPort } from '#stores/bulk/ports';
import { askPort, clockPort, usePort } from '#stores/ports';

/** How often the table is drawn anew while rows come in, in milliseconds. */
const drawEveryMs = 250;
/** Finished rows that rate and time left are counted from. */
const recentRows = 400;

/**
 * Bulk checks as this page sees them. The worker runs them and the store keeps them; this page only nudges the worker while it is
 * open, and draws what it hears.
 */
export const useBulk = defineStore('bulk', () => {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const port = usePort(jobsPort);
  const connections = useConnections();

  /** Undefined until they have been read. */
  const jobs = ref<BulkJob[]>();
  const openId = ref<string>();
  const rows = shallowRef<BulkRow[]>([]);
  /** Nothing more could be kept when a job was to be started. */
  const full = ref(false);
  /** When the latest rows were finished, and the present moment as of the last drawing. */
  const recent = shallowRef<number[]>([]);
  const drawnAt = ref(now());
  let places = new Map<number, number>();
  const rowReads = latest();

  const job = computed(() => jobs.value?.find(({ id }) => id === openId.value));
  const done = computed(() => rows.value.filter(({ outcome }) => outcome !== undefined).length);
  const failed = computed(() => rows.value.filter(({ outcome }) => outcome?.ok === false).length);
  /** Rows finished in the last minute. */
  const rate = computed(() => rateOf(recent.value, drawnAt.value));
  /** Milliseconds. */
  const left = computed(() => {
    if (job.value?.state !== 'running') return undefined;
    const limits = job.value.connectionIds.map(
      (id) => connections.find(id)?.dialect.requestsPerMinute ?? 1,
    );
    return timeLeft(rows.value.length - done.value, limits, recent.value);
  });

  const unwatch = port.watch(hear);
  onScopeDispose(unwatch);

  function hear(news: JobUpdate): void {
    if (news.kind === 'job') put(news.job);
    else if (news.kind === 'removed') drop(news.jobId);
    else if (news.kind === 'reset') {
      if (news.jobId === openId.value) void readRows(news.jobId);
    } else take(news.rows);
  }

  function put(changed: BulkJob): void {
    const others = jobs.value ?? [];
    const at = others.findIndex(({ id }) => id === changed.id);
    jobs.value = at < 0 ? [changed, ...others] : others.with(at, changed);
  }

  function drop(id: string): void {
    jobs.value = jobs.value?.filter((each) => each.id !== id);
    if (openId.value === id) close();
  }

  function take(finished: readonly BulkRow[]): void {
    let mine = false;
    for (const row of finished) {
      if (row.jobId !== openId.value) continue;
      const place = places.get(row.index);
      if (place === undefined) continue;
      rows.value[place] = row;
      if (row.checkedAt !== undefined) recent.value.push(row.checkedAt);
      mine = true;
    }
    if (mine) drawSoon();
  }

  let drawing = false;
  function drawSoon(): void {
    if (drawing) return;
    drawing = true;
    setTimeout(() => {
      drawing = false;
      recent.value = recent.value.slice(-recentRows);
      drawnAt.value = now();
      triggerRef(rows);
    }, drawEveryMs);
  }

  async function readRows(id: string): Promise<void> {
    const { isLatest } = rowReads.begin();
    const read = await port.rows(id);
    if (!isLatest()) return;
    places = new Map(read.map(({ index }, place) => [index, place]));
    rows.value = read;
    drawnAt.value = now();
    recent.value = read
      .flatMap(({ checkedAt }) => checkedAt ?? [])
      .toSorted((a, b) => a - b)
      .slice(-recentRows);
  }

  async function load(): Promise<void> {
    jobs.value = await port.jobs();
    if (jobs.value.some(({ state }) => state === 'running')) void drive();
  }

  /** Shows the table of one job. */
  async function open(id: string): Promise<void> {
    if (openId.value === id) return;
    rows.value = [];
    places = new Map();
    openId.value = id;
    await readRows(id);
  }

  function close(): void {
    rowReads.cancel();
    openId.value = undefined;
    rows.value = [];
    places = new Map();
  }

  /** Gives the id of the job, which then runs; undefined when there was no room to keep it. */
  async function start(
    name: string,
    codes: readonly CollectedCode[],
    connectionIds: readonly string[],
    expectedItemId?: number,
  ): Promise<string | undefined> {
    const id = crypto.randomUUID();
    const made: BulkJob = {
      ...{ id, name, createdAt: now(), connectionIds, state: 'running' },
      ...(expectedItemId === undefined ? {} : { expectedItemId }),
    };
    const added = await port.add(made, rowsFor(id, codes, connectionIds));
    full.value = !added.ok;
    if (!added.ok) return undefined;
    put(made);
    void drive();
    return id;
  }

  let driving = false;
  /** Asked for since the worker was last told. */
  let called = false;
  let nudge: (() => void) | undefined;

  /**
   * Keeps the worker at it while a job runs. The worker may be stopped at any moment and is asked again; what it says of
   * when to come back is obeyed unless something changed meanwhile.
   */
  async function drive(): Promise<void> {
    called = true;
    nudge?.();
    if (driving) return;
    driving = true;
    while (called) {
      called = false;
      const { nextRunAt } = await ask('bulk.drive', {}).catch(() => ({ nextRunAt: now() + 1000 }));
      if (nextRunAt === undefined) continue;
      if (!isCalled()) await waitUntil(nextRunAt);
      called = true;
    }
    driving = false;
    // Whatever was said while nobody listened stands in the store.
    jobs.value = await port.jobs();
    if (openId.value !== undefined) await readRows(openId.value);
  }

  /** Asked anew after each wait: it is another call that sets it. */
  function isCalled(): boolean {
    return called;
  }

  /** Until that moment, or until something changes. */
  async function waitUntil(moment: number): Promise<void> {
    await new Promise<void>((resolve) => {
      nudge = resolve;
      setTimeout(resolve, Math.max(0, moment - now()));
    });
  }

  async function set(id: string, to: 'running' | 'paused' | 'cancelled'): Promise<void> {
    await ask('bulk.set', { jobId: id, to });
    if (to === 'running') void drive();
  }

  async function retryFailed(id: string): Promise<void> {
    await ask('bulk.retry', { jobId: id });
    void drive();
  }

  async function skipConnection(id: string, connectionId: string): Promise<void> {
    await ask('bulk.skip', { jobId: id, connectionId });
    void drive();
  }

  async function remove(id: string): Promise<void> {
    await ask('bulk.remove', { jobId: id });
    drop(id);
  }

  return {
    ...{ jobs, job, rows, done, failed, rate, left, full, drawnAt },
    ...{ load, open, close, start, set, retryFailed, skipConnection, remove },
  };
});
