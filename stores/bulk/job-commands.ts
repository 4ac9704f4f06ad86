import { type Ref, ref } from 'vue';

import type { CollectedCode, JobSource } from '#core/bulk/index';
import { connectionsFor } from '#core/connections/index';
import type { ItemId } from '#core/item-id';
import { type BulkJob, type CodeRow, rowsFor } from '#core/jobs/index';
import type { Fault } from '#core/marketplaces/index';
import { omitUndefined, type Result } from '#core/result';
import type { StorageFull } from '#core/storage/index';
import type { JobList } from '#stores/bulk/job-list';
import { jobsPort } from '#stores/bulk/ports';
import { useConnections } from '#stores/connections/connections';
import { askPort, clockPort, usePort } from '#stores/ports';
import { type UndoFault, useUndoOffer } from '#stores/ui/undo-offer';

export interface StartOptions {
  /** The item that the codes should be for. */
  readonly expectedItemId?: ItemId | undefined;
  /** Whether the codes came from pasted text, so that the name was generated. */
  readonly isPasted?: boolean;
  /** The file that the codes came from. */
  readonly source?: JobSource<Blob> | undefined;
}

/** How long a rename can be undone, in milliseconds. It is short because the name can simply be changed again. */
const renameUndoMs = 10_000;

interface CommandNeeds {
  readonly list: JobList;
  /** Makes the worker run jobs, immediately after a change. */
  readonly drive: () => Promise<void>;
  readonly load: () => Promise<void>;
  readonly removeFromView: (id: string) => void;
}

export interface JobCommands {
  /** Whether the last change failed because the disk is full. */
  readonly storageFull: Ref<boolean>;
  /** Adds and runs a job. Returns its id; undefined if the disk is full. */
  readonly start: (
    name: string,
    codes: readonly CollectedCode[],
    connectionIds: readonly string[],
    options?: StartOptions,
  ) => Promise<string | undefined>;
  readonly setState: (id: string, to: 'running' | 'paused' | 'cancelled') => Promise<void>;
  /** Resumes a job; failed rows are checked again together with the waiting ones. */
  readonly resume: (job: BulkJob) => Promise<void>;
  readonly retry: (id: string, which: 'failed' | 'not-found') => Promise<void>;
  readonly skipConnection: (id: string, connectionId: string) => Promise<void>;
  /** Checks a code again, at the connections that can change its verdict. Returns why there is no answer. */
  readonly refresh: (row: CodeRow) => Promise<Fault | StorageFull | undefined>;
  /** Renames a job, which can be undone. A blank name is ignored. */
  readonly rename: (id: string, name: string) => Promise<void>;
  /** @param name the job's name */
  readonly remove: (id: string, name: string) => Promise<void>;
}

/** Call it in a store's setup. */
export function createJobCommands(needs: CommandNeeds): JobCommands {
  const { list, drive, load, removeFromView } = needs;
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const port = usePort(jobsPort);
  const connections = useConnections();
  const undo = useUndoOffer();
  const storageFull = ref(false);

  /** Tells whether a change was stored; if not, the page shows that. */
  async function isStored(reply: Promise<Result<null, StorageFull>>): Promise<boolean> {
    const { ok } = await reply;
    storageFull.value = !ok;
    return ok;
  }

  async function setState(id: string, to: 'running' | 'paused' | 'cancelled'): Promise<void> {
    if ((await isStored(ask('bulk.set', { jobId: id, to }))) && to === 'running') void drive();
  }

  return {
    storageFull,
    setState,

    async start(name, codes, connectionIds, { expectedItemId, isPasted = false, source } = {}) {
      const id = crypto.randomUUID();
      const job: BulkJob = omitUndefined({
        id,
        name,
        pastedName: isPasted ? name : undefined,
        createdAt: now(),
        connectionIds,
        state: 'running',
        expectedItemId,
      });
      const asked = connectionIds.flatMap((one) => connections.find(one) ?? []);
      const askedAt = (code: string): readonly string[] =>
        asked.length === 0 ? connectionIds : connectionsFor(code, asked).map((one) => one.id);
      const rows = rowsFor(id, codes, connectionIds, askedAt);
      const stored = await port.add(job, rows, source);
      storageFull.value = !stored.ok;
      if (!stored.ok) return undefined;
      list.put(job);
      void drive();
      return id;
    },

    async resume({ id }) {
      await ask('bulk.retry', { jobId: id, which: 'failed' });
      await setState(id, 'running');
    },

    async retry(id, which) {
      if (await isStored(ask('bulk.retry', { jobId: id, which }))) void drive();
    },

    async skipConnection(id, connectionId) {
      if (await isStored(ask('bulk.skip', { jobId: id, connectionId }))) void drive();
    },

    async refresh(row) {
      const indexes = [row, ...row.others].map(({ index }) => index);
      const refreshed = await ask('bulk.refresh', { jobId: row.jobId, indexes });
      return refreshed.ok ? undefined : refreshed.fault;
    },

    async rename(id, name) {
      const before = list.find(id)?.name ?? '';
      const given = name.trim();
      if (given === '' || given === before) return;
      const write = (called: string): Promise<Result<null, StorageFull>> =>
        ask('bulk.rename', { jobId: id, name: called });
      if (!(await isStored(write(given)))) return;
      const offer = { list: 'job-names', id, name: given, undo: () => write(before) } as const;
      undo.show(offer, now() + renameUndoMs);
    },

    async remove(id, name) {
      const { undoUntil } = await ask('bulk.remove', { jobId: id });
      removeFromView(id);
      const restore = async (): Promise<Result<null, UndoFault>> => {
        const restored = await ask('bulk.restore', { jobId: id });
        await load();
        return restored;
      };
      if (undoUntil > now()) undo.show({ list: 'jobs', id, name, undo: restore }, undoUntil);
    },
  };
}
