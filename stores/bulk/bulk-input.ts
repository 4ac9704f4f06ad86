import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { type Layout, detectLayout } from '#core/bulk/detect-layout';
import { type CollectedCodes, createCodeReader } from '#core/bulk/read-codes';
import { delay } from '#core/time/delay';
import { readPieces, readSample } from '#stores/bulk/text-source';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';

/** Reads a text or a file for a bulk check to the codes in it. A file of any size is read in pieces. */
export const useBulkInput = defineStore('bulk-input', () => {
  const connections = useConnections();

  /** The file's name; empty for text. */
  const name = ref('');
  const layout = shallowRef<Layout>();
  /** The column that the codes are read from, from 0. */
  const column = ref<number>();
  const collected = shallowRef<CollectedCodes>();
  const reading = ref(false);
  /** 0 to 1. */
  const progress = ref(0);
  /** The file could not be read: it is gone, or access was denied. */
  const unreadable = ref(false);
  const readings = latest();
  let source: File | string = '';

  const columns = computed(() => (layout.value?.kind === 'table' ? layout.value.columns : []));

  function patterns(): string[] {
    return (connections.list ?? []).flatMap(({ dialect }) => dialect.codePattern ?? []);
  }

  /** Detects the layout and, unless the agent must choose a column, reads the codes. */
  async function open(given: File | string): Promise<void> {
    clear();
    const { isLatest } = readings.begin();
    source = given;
    name.value = typeof given === 'string' ? '' : given.name;
    if (connections.list === undefined) await connections.load();
    const sample = await readSample(given).catch(() => undefined);
    if (!isLatest()) return;
    if (sample === undefined) {
      unreadable.value = true;
      return;
    }
    layout.value = detectLayout(sample, patterns());
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
    try {
      for await (const { text, share } of readPieces(source)) {
        if (!isLatest()) return;
        reader.push(text);
        progress.value = share;
        if (reader.truncated) break;
        // The page draws and answers between two pieces.
        await delay(0);
      }
    } catch {
      if (!isLatest()) return;
      unreadable.value = true;
    }
    if (!isLatest()) return;
    reading.value = false;
    collected.value = reader.end();
  }

  function clear(): void {
    readings.cancel();
    source = '';
    name.value = '';
    layout.value = undefined;
    column.value = undefined;
    collected.value = undefined;
    reading.value = false;
    unreadable.value = false;
  }

  return {
    ...{ name, layout, column, columns, collected, reading, progress, unreadable },
    ...{ open, chooseColumn, clear },
  };
});
