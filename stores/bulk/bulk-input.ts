import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { createDelimitedReader } from '#core/bulk/delimited';
import { detectEncoding } from '#core/bulk/detect-encoding';
import { createCodeCollector, type CollectedCode } from '#core/bulk/collect-codes';
import { type Layout, detectLayout } from '#core/bulk/detect-layout';
import { delay } from '#core/time/delay';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';

/** Text judged to find out what it is, in bytes or UTF-16 units. */
const sampleSize = 65_536;
/** Text taken at once, in UTF-16 units: the page stays quick between two. */
const stretch = 262_144;

/** What was found in a text handed over for a bulk check. */
export interface CollectedCodes {
  readonly codes: readonly CollectedCode[];
  /** Codes that were there before, in whatever spelling. */
  readonly duplicates: number;
  readonly passedOver: number;
  readonly cut: boolean;
}

/** From text or a file to the codes in it, each once. A file of any size is read piece by piece and never held whole. */
export const useBulkInput = defineStore('bulk-intake', () => {
  const connections = useConnections();

  const name = ref('');
  const layout = shallowRef<Layout>();
  const column = ref<number>();
  const collected = shallowRef<CollectedCodes>();
  const reading = ref(false);
  /** 0 to 1. */
  const progress = ref(0);
  /** The file could not be read: gone, or not ours to read. */
  const unreadable = ref(false);
  let source: File | string | undefined;
  const readings = latest();

  const columns = computed(() => (layout.value?.kind === 'table' ? layout.value.columns : []));

  function patterns(): string[] {
    return (connections.list ?? []).flatMap(({ dialect }) => dialect.codePattern ?? []);
  }

  async function take(given: File | string): Promise<void> {
    clear();
    const { isLatest } = readings.begin();
    source = given;
    name.value = typeof given === 'string' ? '' : given.name;
    if (connections.list === undefined) await connections.load();
    const sample = await sampleOf(given).catch(() => undefined);
    if (!isLatest()) return;
    if (sample === undefined) {
      unreadable.value = true;
      return;
    }
    layout.value = detectLayout(sample, patterns());
    column.value = layout.value.kind === 'table' ? layout.value.column : 0;
    if (column.value !== undefined) await collect();
  }

  async function pick(place: number): Promise<void> {
    column.value = place;
    await collect();
  }

  async function collect(): Promise<void> {
    if (source === undefined || layout.value === undefined || column.value === undefined) return;
    const { isLatest } = readings.begin();
    const { kind } = layout.value;
    const place = column.value;
    const reader = createDelimitedReader(kind === 'table' ? layout.value.delimiter : undefined);
    let headings = kind === 'table' ? Math.min(1, layout.value.headings.length) : 0;
    const codes = createCodeCollector(kind === 'prose' ? 'prose' : 'cells', patterns());
    const take = (records: ReturnType<typeof reader.push>): void => {
      if (kind === 'prose') {
        // A code may be broken over two lines of a mail.
        const text = records.map(({ cells }) => cells[0] ?? '').join('\n');
        if (text !== '') codes.add(text, records[0]?.line ?? 1);
        return;
      }
      for (const { cells, line } of records) {
        if (headings > 0) headings -= 1;
        else codes.add(cells[place] ?? '', line);
      }
    };
    reading.value = true;
    progress.value = 0;
    collected.value = undefined;
    try {
      for await (const { text, share } of piecesOf(source)) {
        if (!isLatest()) return;
        take(reader.push(text));
        progress.value = share;
        if (codes.cut) break;
      }
      take(reader.end());
    } catch {
      if (!isLatest()) return;
      unreadable.value = true;
    }
    reading.value = false;
    const found = codes.codes;
    collected.value = {
      codes: found,
      duplicates: found.reduce((sum, { times }) => sum + times - 1, 0),
      passedOver: codes.passedOver,
      cut: codes.cut,
    };
  }

  function clear(): void {
    readings.cancel();
    source = undefined;
    name.value = '';
    layout.value = undefined;
    column.value = undefined;
    collected.value = undefined;
    reading.value = false;
    unreadable.value = false;
  }

  return {
    ...{ name, layout, column, columns, collected, reading, progress, unreadable },
    ...{ take, pick, clear },
  };
});

async function sampleOf(source: File | string): Promise<string> {
  const cut = source instanceof File ? source.size > sampleSize : source.length > sampleSize;
  const text =
    typeof source === 'string'
      ? source.slice(0, sampleSize)
      : new TextDecoder(detectEncoding(await headOf(source))).decode(await headOf(source));
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return cut && end > 0 ? text.slice(0, end) : text;
}

async function headOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(0, sampleSize).arrayBuffer());
}

async function* piecesOf(source: File | string): AsyncGenerator<{ text: string; share: number }> {
  if (typeof source === 'string') {
    for (let at = 0; at < source.length; at += stretch) {
      yield { text: source.slice(at, at + stretch), share: (at + stretch) / source.length };
      await delay(0);
    }
    return;
  }
  const decoder = new TextDecoder(detectEncoding(await headOf(source)));
  for (let at = 0; at < source.size; at += stretch) {
    const bytes = await source.slice(at, at + stretch).arrayBuffer();
    const isLast = at + stretch >= source.size;
    yield { text: decoder.decode(bytes, { stream: !isLast }), share: (at + stretch) / source.size };
    await delay(0);
  }
}
