import { type ShallowRef, shallowRef } from 'vue';

import { useAuthorityAnswers } from '#stores/verifier/authority-answers';
import { useBatch } from '#stores/verifier/batch';
import type { DocumentInspections, OpenedDocument } from '#stores/verifier/document-inspections';
import type { BatchRow } from '#stores/verifier/judged-rows';

export interface OpenRow {
  readonly document: ShallowRef<OpenedDocument | undefined>;
  /** Opens a row; undefined closes it. */
  readonly show: (row: BatchRow | undefined) => void;
  /** Inspects the row in the table again too. */
  readonly inspectInTable: () => Promise<void>;
}

/** Creates the open row, with none open yet. Call it in a store's setup. */
export function createOpenRow({
  open,
  contextAt,
}: Pick<DocumentInspections, 'open' | 'contextAt'>): OpenRow {
  const batch = useBatch();
  const answers = useAuthorityAnswers();
  const document = shallowRef<OpenedDocument>();
  let row: BatchRow | undefined;

  async function inspectInTable(): Promise<void> {
    if (row !== undefined) await batch.inspectAgain(row, await contextAt());
  }

  return {
    document,
    show(shown) {
      row = shown;
      document.value = shown && open(shown.name, shown.source);
      if (answers.list.length > 0) void inspectInTable();
    },
    inspectInTable,
  };
}
