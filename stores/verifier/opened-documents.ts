import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { fileLimitBytes } from '#core/reading/index';
import type { Inspection } from '#core/license/index';
import type { SharedContent } from '#core/site/share-rule';
import type { InspectionContext, OpenedFiles, Verify } from '#core/verifier/index';
import { clockPort, usePort } from '#stores/ports';
import { latest } from '#stores/latest';
import { useBatch } from '#stores/verifier/batch';
import type { DroppedFiles, NamedFile } from '#stores/ui/dropped-files';
import {
  createDocumentInspections,
  type OpenedDocument,
} from '#stores/verifier/document-inspections';
import { createTicketFields } from '#stores/verifier/ticket-fields';
import { createOpenRow } from '#stores/verifier/open-row';
import { clockMemoryPort, verifyPort } from '#stores/verifier/ports';
import { createReinspection } from '#stores/verifier/reinspection';
import { createTextField } from '#stores/verifier/text-field';

/** More documents than this become a table. */
const maxCards = 8;

/** The opened documents: a few as cards, many as a table. */
export const useOpenedDocuments = defineStore('verifier-opened-documents', () => {
  const clock = usePort(clockPort);
  const clockMemory = usePort(clockMemoryPort);
  const verify = usePort(verifyPort);
  const batch = useBatch();

  const documents = shallowRef<OpenedDocument[]>([]);
  const ticket = createTicketFields();
  const { expected, unreached, cleared } = ticket;
  const { contextAt, open, inspect, inspectionsOf } = createDocumentInspections(() =>
    ticket.facts(),
  );
  const row = createOpenRow({ open, contextAt });
  /** Whether more files were given than are opened at once. */
  const cut = ref(false);
  /**
   * Whether each document has its verdict. A document keeps it while it is judged again each minute, so that it is
   * announced only once.
   */
  const areJudged = computed(
    () =>
      documents.value.length > 0 &&
      documents.value.every(({ report, lost }) => report !== undefined || lost),
  );
  const openings = latest();
  /** Folders that are still being read; anything opened, dropped or typed replaces them. */
  const folders = latest();
  const field = createTextField({
    judgedText: () => {
      const source = documents.value[0]?.source;
      return source !== undefined && 'text' in source ? source.text : undefined;
    },
    judge: openText,
    edited: () => {
      folders.cancel();
    },
    emptied: () => (documents.value = []),
  });
  /** Returns how often the facts that documents are compared with have changed. */
  const changeCount = createReinspection(ticket, row, inspectAll);

  function openFiles(files: readonly NamedFile[], wereMore = false): void {
    // An empty folder does not change the open documents.
    if (files.length === 0) return;
    folders.cancel();
    cut.value = wereMore;
    field.set('');
    row.show(undefined);
    void openAsCardsOrTable(files);
  }

  /** Opens files that are still being searched for in folders, unless something else was opened in the meantime. */
  async function openFound(found: Promise<DroppedFiles>): Promise<void> {
    const { isLatest } = folders.begin();
    const { files, cut: wereMore } = await found;
    if (isLatest()) openFiles(files, wereMore);
  }

  async function openAsCardsOrTable(files: readonly NamedFile[]): Promise<void> {
    const { isLatest } = openings.begin();
    const [first, second] = files;
    if (first === undefined) return;
    const before = changeCount();
    const context = await contextAt(undefined, ticket.factsForNew());
    const known = await recognise(verify, files, context);
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
    if (changeCount() !== before) inspectAll();
  }

  /** Replaces the shown documents, and sets the ticket's fields that belong to them. */
  function showAll(opening: () => OpenedDocument[]): void {
    const { promise, resolve } = Promise.withResolvers<readonly Inspection[]>();
    ticket.change(promise);
    const shown = opening();
    documents.value = shown;
    void inspectionsOf(shown).then(resolve);
  }

  function openText(pasted: string): void {
    folders.cancel();
    openings.cancel();
    cut.value = false;
    row.show(undefined);
    batch.clear();
    field.set(pasted);
    if (pasted.trim() === '') documents.value = [];
    else showAll(() => [open(undefined, { text: pasted })]);
  }

  function openShared({ text, files, cut: wasCut }: SharedContent<Blob>): void {
    if (files.length > 0) openFiles(files.map(fileOf), wasCut);
    else openText(text);
  }

  /** Judges a document at another moment, epoch milliseconds; `undefined` is the present. */
  function judgeAt(document: OpenedDocument, moment: number | undefined): void {
    document.moment = moment;
    inspect(document);
  }

  /** Trusts the present clock again, after the agent has said that it was wrong before. */
  async function trustClock(): Promise<void> {
    await clockMemory.reset(clock());
    inspectAll();
  }

  function inspectAll(): void {
    for (const document of documents.value) inspect(document);
    if (row.document.value !== undefined) inspect(row.document.value);
  }

  return {
    documents,
    rowDocument: row.document,
    expected,
    unreached,
    cleared,
    text: field.text,
    cut,
    areJudged,
    openFiles,
    openFound,
    openText,
    openShared,
    openRow: row.show,
    inspectText: field.judgeNow,
    judgeAt,
    trustClock,
    putBackTicket: () => {
      ticket.putBack();
    },
  };
});

/**
 * Asks a worker what one or two files contain: documents, one document in two parts, or a list with one document per
 * line.
 * @returns undefined for more files, and if they cannot be read or a worker is lost; each file is then a document that
 * reports this
 */
async function recognise(
  verify: Verify,
  files: readonly NamedFile[],
  context: InspectionContext,
): Promise<OpenedFiles | undefined> {
  if (files.length > 2) return undefined;
  return verify
    .ask({ ask: 'open', files: files.map(({ file }) => file), context })
    .catch(() => undefined);
}

/** Only the name of a shared file that is too large is kept; it is judged by its size. */
function fileOf({ name, content }: SharedContent<Blob>['files'][number]): NamedFile {
  return { name, file: new File([content ?? new Uint8Array(fileLimitBytes + 1)], name) };
}
