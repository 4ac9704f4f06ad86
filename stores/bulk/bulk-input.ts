import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import {
  type CollectedCodes,
  createCodeReader,
  detectLayout,
  type JobSource,
  type Layout,
  sourceLayoutOf,
} from '#core/bulk/index';
import { delay } from '#core/time/index';
import type { Workbook } from '#core/tables/index';
import { csvOfHtml, mayBeHtml } from '#stores/bulk/html-table';
import { copyOf, readPieces, readSample, textOf, workbookIn } from '#stores/bulk/text-source';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';
import { codePatternsOf } from '#core/connections/index';

/** Reads the codes from a text or a file for a bulk check. A file is read in pieces, so it may have any size. */
export const useBulkInput = defineStore('bulk-input', () => {
  const connections = useConnections();

  /** The file's name; empty for text in the field. */
  const name = ref('');
  /** Whether the codes are from pasted text; a long one is read like a file. */
  const isPasted = ref(true);
  const layout = shallowRef<Layout>();
  /** The column of the codes, from 0. */
  const column = ref<number>();
  const collected = shallowRef<CollectedCodes>();
  const reading = ref(false);
  /** The share of the source that has been read, 0 to 1. */
  const progress = ref(0);
  /** Whether the file could not be read: it is gone, or access was denied. */
  const unreadable = ref(false);
  /** The program of the file, if it is a spreadsheet that is not text. */
  const workbook = ref<Workbook>();
  const readings = latest();
  /** The text, or a copy of the file, so that later changes of the file have no effect. */
  let source: Blob | string = '';

  /** The columns to choose from; empty if no cell may be a code. */
  const columns = computed(() => {
    if (layout.value?.kind !== 'table') return [];
    const { columns: all, column: found } = layout.value;
    return found === undefined && !all.some(({ mayHold }) => mayHold) ? [] : all;
  });

  function patterns(): string[] {
    return codePatternsOf(connections.list ?? []);
  }

  /**
   * Detects the layout and, unless the agent must choose a column, reads the codes.
   * @param pasted whether a file holds pasted text
   */
  async function open(given: File | string, pasted = typeof given === 'string'): Promise<void> {
    clear();
    const { isLatest } = readings.begin();
    isPasted.value = pasted;
    name.value = typeof given === 'string' ? '' : given.name;
    // When several lines are inserted at once, there is an event for each; only the final text is read.
    if (typeof given === 'string') await delay(0);
    if (!isLatest()) return;
    if (connections.list === undefined) await connections.load();
    const read = await readGiven(given).catch(() => undefined);
    if (!isLatest()) return;
    unreadable.value = read === undefined;
    workbook.value = read?.workbook;
    if (read?.sample === undefined) return;
    source = read.source;
    layout.value = detectLayout(read.sample, patterns());
    column.value = layout.value.kind === 'table' ? layout.value.column : 0;
    await collect();
  }

  async function chooseColumn(chosen: number): Promise<void> {
    column.value = chosen;
    await collect();
  }

  async function collect(): Promise<void> {
    if (layout.value === undefined || column.value === undefined) return;
    const { isLatest } = readings.begin();
    const reader = createCodeReader(layout.value, column.value, patterns());
    reading.value = true;
    progress.value = 0;
    collected.value = undefined;
    unreadable.value = false;
    try {
      for await (const { text, share } of readPieces(source)) {
        if (!isLatest()) return;
        reader.push(text);
        progress.value = share;
        if (reader.truncated) break;
        // The pause lets the page draw and react between two pieces.
        await delay(0);
      }
    } catch {
      if (!isLatest()) return;
      unreadable.value = true;
    }
    if (!isLatest()) return;
    reading.value = false;
    if (!unreadable.value) collected.value = reader.end();
  }

  /** Returns the source and where its codes are; undefined for prose, which has no rows to return. */
  function readSource(): JobSource<Blob> | undefined {
    const [present, chosen] = [layout.value, column.value];
    if (present === undefined || chosen === undefined) return undefined;
    const at = sourceLayoutOf(present, chosen, patterns());
    // The byte order mark tells Excel that the file made from pasted text is UTF-8.
    const file = typeof source === 'string' ? new Blob(['\uFEFF', source]) : source;
    return at && { file, layout: at };
  }

  function clear(): void {
    readings.cancel();
    source = '';
    name.value = '';
    isPasted.value = true;
    layout.value = undefined;
    column.value = undefined;
    collected.value = undefined;
    reading.value = false;
    unreadable.value = false;
    workbook.value = undefined;
  }

  return {
    name,
    isPasted,
    layout,
    column,
    columns,
    collected,
    reading,
    progress,
    unreadable,
    workbook,
    open,
    chooseColumn,
    readSource,
    clear,
  };
});

interface Given {
  /** The text, or a copy of the file. */
  readonly source: Blob | string;
  /** Its beginning; undefined if it is not text. */
  readonly sample?: string;
  readonly workbook?: Workbook | undefined;
}

/** @throws if the file cannot be read */
async function readGiven(given: File | string): Promise<Given> {
  if (typeof given === 'string') return { source: given, sample: await readSample(given) };
  const source = await copyOf(given);
  const workbook = await workbookIn(source);
  if (workbook !== undefined) return { source, workbook };
  const sample = await readSample(source);
  const csv = mayBeHtml(sample) ? csvOfHtml(await textOf(source)) : undefined;
  return csv === undefined ? { source, sample } : readGiven(new File(['\uFEFF', csv], given.name));
}
