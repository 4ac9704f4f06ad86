import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';

import { fileLimitBytes } from '#core/license/encoding/decode-source';
import type { Inspection } from '#core/license/inspect/inspection';
import type { Arrangement } from '#core/verifier/verifier-request';
import { useClock } from '#stores/clock';
import { latest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';
import { useAuthorityAnswers } from '#stores/verifier/authority-answers';
import { type BatchRow, type DroppedFiles, type NamedFile, useBatch } from '#stores/verifier/batch';
import {
  type OpenedDocument,
  createOpenedDocumentJudge,
} from '#stores/verifier/opened-document-judge';
import { useVerifierKeys } from '#stores/verifier/keys';
import { type SharedContent, clockMemoryPort, verifyPort } from '#stores/verifier/ports';
import { createTicketFields } from '#stores/verifier/ticket-fields';

/** More documents than this become a table. */
const maxCards = 100;

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
  /** Folders that are still being read: they give way to whatever is opened, dropped or typed. */
  const folders = latest();
  const judge = createOpenedDocumentJudge(() => ({
    expected: { ...expected.value },
    unreached: unreached.value,
    answers: answers.list,
  }));
  let typing: ReturnType<typeof setTimeout> | undefined;

  function openFiles(files: readonly NamedFile[], wereMore = false): void {
    // An empty folder takes nothing away.
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
    const arrangement = await arrange(files);
    if (!isLatest()) return;
    if (arrangement.as === 'list' || files.length > maxCards) {
      documents.value = [];
      ticket.change(undefined);
      const context = await judge.contextAt();
      if (!isLatest()) return;
      await (arrangement.as === 'list'
        ? batch.openList(first, arrangement.lines, context)
        : batch.openFiles(files, context));
      return;
    }
    batch.clear();
    show(() =>
      arrangement.as === 'pair' && second !== undefined
        ? [judge.open(`${first.name} + ${second.name}`, { parts: [first.file, second.file] })]
        : files.map(({ name, file }) => judge.open(name, { parts: [file] })),
    );
  }

  /** Says how files are opened. Those that cannot be read, or cost a worker, are documents, each of which says so. */
  async function arrange(files: readonly NamedFile[]): Promise<Arrangement> {
    const apart = { as: 'documents' } as const;
    if (files.length > 2) return apart;
    return verify.ask({ ask: 'arrange', files: files.map(({ file }) => file) }).catch(() => apart);
  }

  /** Shows documents in place of those before, with the ticket's fields as they belong to them. */
  function show(open: () => OpenedDocument[]): void {
    const { promise, resolve } = Promise.withResolvers<readonly Inspection[]>();
    ticket.change(promise);
    const shown = open();
    documents.value = shown;
    void inspectionsOf(shown).then(resolve);
  }

  async function inspectionsOf(shown: readonly OpenedDocument[]): Promise<Inspection[]> {
    for (const document of shown) await judge.settled(document);
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
    else show(() => [judge.open(undefined, { text: pasted })]);
  }

  function openShared({ text: shared, files, cut: wasCut }: SharedContent): void {
    const opened = files.map(({ name, content }) => ({
      name,
      // Only the name of a file is kept that is too large: it is judged by its size.
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
    rowDocument.value = shown && judge.open(shown.name, shown.source);
    if (answers.list.length > 0) void judgeRow();
  }

  /** Judges the open row anew in the table as well. */
  async function judgeRow(): Promise<void> {
    if (row.value !== undefined) await batch.judgeAgain(row.value, await judge.contextAt());
  }

  /** Judges a document at another moment, epoch milliseconds; `undefined` is the present. */
  function judgeAt(document: OpenedDocument, moment: number | undefined): void {
    document.moment = moment;
    judge.judge(document);
  }

  /** Trusts the present clock again, after the agent said that it was wrong before. */
  async function trustClock(): Promise<void> {
    await clockMemory.reset(clock());
    judgeAll();
  }

  function judgeAll(): void {
    for (const document of documents.value) judge.judge(document);
    if (rowDocument.value !== undefined) judge.judge(rowDocument.value);
  }

  watch([expected, unreached, () => keys.list, () => pageClock.present], judgeAll, { deep: true });
  watch(
    () => answers.list,
    () => {
      judgeAll();
      void judgeRow();
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
