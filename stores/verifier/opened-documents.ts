import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';

import { fileLimitBytes } from '#core/reading/index';
import type { Inspection } from '#core/license/index';
import type { SharedContent } from '#core/site/share-rule';
import { useClock, clockPort, usePort } from '#stores/ports';
import { latest } from '#stores/latest';
import { useAuthorityAnswers } from '#stores/verifier/authority-answers';
import { type BatchRow, useBatch } from '#stores/verifier/batch';
import type { DroppedFiles, NamedFile } from '#stores/ui/dropped-files';
import {
  createDocumentInspections,
  type OpenedDocument,
} from '#stores/verifier/document-inspections';
import { createTicketFields } from '#stores/verifier/ticket-fields';
import { useVerifierKeys } from '#stores/verifier/keys';
import { clockMemoryPort, verifyPort } from '#stores/verifier/ports';

/** More documents than this become a table. */
const maxCards = 8;

/** How long typing must pause before the text is judged. */
const typingPauseMs = 150;

/** Holds the opened documents: a few as cards, many as a table. */
export const useOpenedDocuments = defineStore('verifier-opened-documents', () => {
  const clock = usePort(clockPort);
  const clockMemory = usePort(clockMemoryPort);
  const verify = usePort(verifyPort);
  const batch = useBatch();
  const keys = useVerifierKeys();
  const answers = useAuthorityAnswers();
  const pageClock = useClock();

  const documents = shallowRef<OpenedDocument[]>([]);
  /** The row of the table that is open, and its document. */
  const row = shallowRef<BatchRow>();
  const rowDocument = shallowRef<OpenedDocument>();
  const ticket = createTicketFields();
  const { expected, unreached, cleared } = ticket;
  const { contextAt, open, inspect, settled } = createDocumentInspections(() => ticket.facts());
  const text = ref('');
  /** More files were given than are opened at once. */
  const cut = ref(false);
  /** Whether each document has its verdict: it keeps it while it is judged anew, each minute, so that it is announced once. */
  const areJudged = computed(
    () =>
      documents.value.length > 0 &&
      documents.value.every(({ report, lost }) => report !== undefined || lost),
  );
  const openings = latest();
  /** Folders that are still being read; whatever is opened, dropped or typed replaces them. */
  const folders = latest();
  /** Counts the changes of what documents are compared with. */
  let changes = 0;
  let typing: ReturnType<typeof setTimeout> | undefined;

  function openFiles(files: readonly NamedFile[], wereMore = false): void {
    // An empty folder leaves the open documents as they are.
    if (files.length === 0) return;
    folders.cancel();
    clearTimeout(typing);
    cut.value = wereMore;
    text.value = '';
    openRow(undefined);
    void openAsCardsOrTable(files);
  }

  /** Opens files that are still being looked for in folders, unless something else was opened meanwhile. */
  async function openFound(found: Promise<DroppedFiles>): Promise<void> {
    const { isLatest } = folders.begin();
    const { files, cut: wereMore } = await found;
    if (isLatest()) openFiles(files, wereMore);
  }

  async function openAsCardsOrTable(files: readonly NamedFile[]): Promise<void> {
    const { isLatest } = openings.begin();
    const [first, second] = files;
    if (first === undefined) return;
    const before = changes;
    const context = await contextAt(undefined, ticket.factsForNew());
    // Files that cannot be read, or cost a worker, are documents, each of which says so.
    const known =
      files.length > 2
        ? undefined
        : await verify
            .ask({ ask: 'open', files: files.map(({ file }) => file), context })
            .catch(() => undefined);
    if (!isLatest()) return;
    if (known?.as === 'list' || files.length > maxCards) {
      documents.value = [];
      ticket.change(undefined);
      await (known?.as === 'list'
        ? batch.openList(first, known.lines, context)
        : batch.openFiles(files, context));
      return;
    }
    batch.clear();
    showAll(() => {
      if (known?.as === 'pair' && second !== undefined) {
        const name = `${first.name} + ${second.name}`;
        const [report] = known.reports;
        return [open(name, { parts: [first.file, second.file] }, { report, context })];
      }
      return files.map(({ name, file }, at) =>
        open(name, { parts: [file] }, known && { report: known.reports[at], context }),
      );
    });
    if (changes !== before) inspectAll();
  }

  /** Shows documents in place of those before, with the ticket's fields as they belong to them. */
  function showAll(opening: () => OpenedDocument[]): void {
    const { promise, resolve } = Promise.withResolvers<readonly Inspection[]>();
    ticket.change(promise);
    const shown = opening();
    documents.value = shown;
    void inspectionsOf(shown).then(resolve);
  }

  async function inspectionsOf(shown: readonly OpenedDocument[]): Promise<Inspection[]> {
    for (const document of shown) await settled(document);
    return shown.flatMap(({ report }) =>
      report === undefined ? [] : [report.inspection, ...report.inspection.others],
    );
  }

  function openText(pasted: string): void {
    folders.cancel();
    clearTimeout(typing);
    openings.cancel();
    cut.value = false;
    openRow(undefined);
    batch.clear();
    text.value = pasted;
    if (pasted.trim() === '') documents.value = [];
    else showAll(() => [open(undefined, { text: pasted })]);
  }

  function openShared({ text: shared, files, cut: wasCut }: SharedContent<Blob>): void {
    const opened = files.map(({ name, content }) => ({
      name,
      // Of a file that is too large, only the name is kept; it is judged by its size.
      file: new File([content ?? new Uint8Array(fileLimitBytes + 1)], name),
    }));
    if (opened.length > 0) openFiles(opened, wasCut);
    else openText(shared);
  }

  /** Judges what stands in the text field without waiting for a pause. */
  function inspectText(): void {
    if (text.value.trim() !== '') openText(text.value);
  }

  /** Opens one row of the table as a document; undefined closes it. */
  function openRow(shown: BatchRow | undefined): void {
    row.value = shown;
    rowDocument.value = shown && open(shown.name, shown.source);
    if (answers.list.length > 0) void inspectRow();
  }

  /** Inspects the open row anew in the table as well. */
  async function inspectRow(): Promise<void> {
    if (row.value !== undefined) await batch.inspectAgain(row.value, await contextAt());
  }

  /** Judges a document at another moment, epoch milliseconds; `undefined` is the present. */
  function judgeAt(document: OpenedDocument, moment: number | undefined): void {
    document.moment = moment;
    inspect(document);
  }

  /** Trusts the present clock again, after the agent said that it was wrong before. */
  async function trustClock(): Promise<void> {
    await clockMemory.reset(clock());
    inspectAll();
  }

  function inspectAll(): void {
    for (const document of documents.value) inspect(document);
    if (rowDocument.value !== undefined) inspect(rowDocument.value);
  }

  watch(
    [expected, unreached, () => keys.list, () => pageClock.present],
    () => {
      changes += 1;
      inspectAll();
    },
    { deep: true },
  );
  watch(
    () => answers.list,
    () => {
      inspectAll();
      void inspectRow();
    },
  );
  watch(text, (typed) => {
    clearTimeout(typing);
    const source = documents.value[0]?.source;
    const shown = source !== undefined && 'text' in source ? source.text : undefined;
    if (shown === typed) return;
    folders.cancel();
    if (typed.trim() !== '') typing = setTimeout(inspectText, typingPauseMs);
    else if (shown !== undefined) documents.value = [];
  });

  return {
    documents,
    rowDocument,
    expected,
    unreached,
    cleared,
    text,
    cut,
    areJudged,
    openFiles,
    openFound,
    openText,
    openShared,
    openRow,
    inspectText,
    judgeAt,
    trustClock,
    putBackTicket: () => {
      ticket.putBack();
    },
  };
});
