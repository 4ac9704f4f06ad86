import { defineStore } from 'pinia';
import { computed, ref, shallowReactive, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import { rememberForm } from '#core/key-ring/ring';
import { fileLimitBytes } from '#core/reading/index';
import type { Expected, Inspection } from '#core/license/index';
import type { PinnedKey } from '#core/keys/index';
import type { SharedContent } from '#core/site/share-rule';
import type { DocumentReport, InspectionContext, Source } from '#core/verifier/verifier-request';
import { useClock, clockPort, usePort } from '#stores/ports';
import { latest, type LatestSeries } from '#stores/latest';
import { useAuthorityAnswers } from '#stores/verifier/authority-answers';
import { type BatchRow, useBatch } from '#stores/verifier/batch';
import type { DroppedFiles, NamedFile } from '#stores/ui/dropped-files';
import { useVerifierKeys } from '#stores/verifier/keys';
import { clockMemoryPort, keyRingPort, verifyPort } from '#stores/verifier/ports';

/** More documents than this become a table. */
const maxCards = 8;

/** How long typing must pause before the text is judged. */
const typingPauseMs = 150;

/** Holds one document on the page with its newest report. */
export interface OpenedDocument {
  readonly id: number;
  /** The file's name, as it came; absent for pasted text. */
  readonly name: string | undefined;
  readonly source: Source;
  report: DocumentReport | undefined;
  /** When it was judged, epoch milliseconds. */
  judgedAt: number;
  /** The moment chosen on the timeline, epoch milliseconds; undefined for the present. */
  moment: number | undefined;
  busy: boolean;
  /** Whether the worker was lost over it. */
  lost: boolean;
}

/** Holds the opened documents: a few as cards, many as a table. */
export const useOpenedDocuments = defineStore('verifier-opened-documents', () => {
  const clock = usePort(clockPort);
  const clockMemory = usePort(clockMemoryPort);
  const verify = usePort(verifyPort);
  const ring = usePort(keyRingPort);
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
  /** Folders that are still being read; whatever is opened, dropped or typed replaces them. */
  const folders = latest();
  const inspections = new WeakMap<
    OpenedDocument,
    { series: LatestSeries; running: Promise<void> }
  >();
  let lastId = 0;
  /** Counts the changes of what documents are compared with. */
  let changes = 0;
  let typing: ReturnType<typeof setTimeout> | undefined;

  /** @param moment epoch milliseconds; without it, the present */
  async function contextAt(
    moment?: number,
    { expected, unreached }: TicketFacts = ticket.facts(),
  ): Promise<InspectionContext> {
    const present = clock();
    // The ring is read each time, so that a key revoked in another window does not count here.
    const [latestSeen, pinned] = await Promise.all([clockMemory.note(present), ring.read()]);
    return {
      now: moment ?? present,
      // Asking about another moment does not mean that the clock was turned back.
      ...(moment === undefined && { latestSeen }),
      keys: pinned,
      expected,
      unreached,
      answers: answers.list,
    };
  }

  /** Opens a document and begins to inspect it, where its report is not known yet. */
  function open(
    name: string | undefined,
    source: Source,
    known?: { readonly report: DocumentReport | undefined; readonly context: InspectionContext },
  ): OpenedDocument {
    const document = shallowReactive<OpenedDocument>({
      id: (lastId += 1),
      name,
      source,
      report: undefined,
      judgedAt: clock(),
      moment: undefined,
      busy: true,
      lost: false,
    });
    if (known === undefined) inspect(document);
    else show(document, known.report, known.context);
    return document;
  }

  /** Inspects a document anew; only the newest report is shown. */
  function inspect(document: OpenedDocument): void {
    const series = inspections.get(document)?.series ?? latest();
    inspections.set(document, { series, running: inspectOnce(document, series) });
  }

  async function inspectOnce(document: OpenedDocument, series: LatestSeries): Promise<void> {
    const { isLatest } = series.begin();
    const { moment, source } = document;
    document.busy = true;
    const context = await contextAt(moment);
    const report = await verify.ask({ ask: 'inspect', source, context }).catch(() => undefined);
    if (isLatest()) show(document, report, context);
  }

  function show(
    document: OpenedDocument,
    report: DocumentReport | undefined,
    context: InspectionContext,
  ): void {
    document.busy = false;
    document.report = report;
    document.lost = report === undefined;
    if (report === undefined) return;
    if (document.moment === undefined) document.judgedAt = context.now;
    void rememberForms(report.inspection.forms, context);
  }

  /** Remembers in the key ring which form each key signs. */
  async function rememberForms(
    forms: readonly Inspection['forms'][number][],
    { keys: known }: InspectionContext,
  ): Promise<void> {
    const fresh = forms.filter(({ key, document }) =>
      known.some(({ id, remembered }) => id === key && remembered?.[document] === undefined),
    );
    if (fresh.length === 0) return;
    await ring.change((present) =>
      fresh.reduce<readonly PinnedKey[]>(
        (pinned, { key, document, form }) => rememberForm(pinned, key, document, form),
        present,
      ),
    );
  }

  /** Waits for the inspection under way and for those that replace it meanwhile. */
  async function settled(document: OpenedDocument): Promise<void> {
    for (let seen: Promise<void> | undefined; seen !== inspections.get(document)?.running;) {
      seen = inspections.get(document)?.running;
      await seen;
    }
  }

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

interface TicketFacts {
  readonly expected: Required<Expected>;
  /** The agent says that the authority could not be reached. */
  readonly unreached: boolean;
}

/** Holds what the ticket says, which belongs to the documents on the page. */
interface TicketFields {
  readonly expected: Ref<Required<Expected>>;
  readonly unreached: Ref<boolean>;
  /** The facts that were cleared when another customer's documents came, until something is typed. */
  readonly cleared: ShallowRef<TicketFacts | undefined>;
  /** Returns what stands in the fields. */
  facts(): TicketFacts;
  /** Returns what new documents are compared with until it is known whose they are. */
  factsForNew(): TicketFacts;
  /** Puts back what was cleared. */
  putBack(): void;
  /**
   * Clears the fields for documents that are being opened, and fills them again where the documents are the same customer's.
   * @param opened the new documents, once they are judged; undefined for a table of many customers' documents
   */
  change(opened: Promise<readonly Inspection[]> | undefined): void;
}

const blank: TicketFacts = {
  expected: { domain: '', productSlug: '', installationId: '' },
  unreached: false,
};

/** Creates the fields of the ticket, blank at first. Call it in a store's setup. */
function createTicketFields(): TicketFields {
  const expected = ref(blank.expected);
  const unreached = ref(blank.unreached);
  const cleared = shallowRef<TicketFacts>();
  const changes = latest();
  /** Names of the customer whose documents are open, or were last; undefined before the first. */
  let names: ReadonlySet<string> | undefined;
  /** The facts that were cleared for documents that are still being judged. */
  let waiting: TicketFacts | undefined;

  function write(facts: TicketFacts): void {
    expected.value = facts.expected;
    unreached.value = facts.unreached;
  }

  function facts(): TicketFacts {
    return { expected: { ...expected.value }, unreached: unreached.value };
  }

  function isBlank(): boolean {
    return !unreached.value && Object.values(expected.value).every((text) => text.trim() === '');
  }

  /** @param held what was cleared for the documents until it is known whose they are */
  async function keepForSameCustomer(
    opened: Promise<readonly Inspection[]>,
    before: ReadonlySet<string> | undefined,
    held: TicketFacts | undefined,
  ): Promise<void> {
    const { isLatest } = changes.begin();
    const found = customerNamesOf(await opened);
    if (!isLatest()) return;
    waiting = undefined;
    // A picture, or a text half typed, names nobody.
    const isNobodys = found.size === 0;
    if (!isNobodys) names = found;
    if (held === undefined || before === undefined) return;
    if (isNobodys || [...found].some((name) => before.has(name))) write(held);
    else cleared.value = held;
  }

  watch([expected, unreached], () => {
    if (!isBlank()) cleared.value = undefined;
  });

  return {
    expected,
    unreached,
    cleared,
    facts,
    // Facts typed before the first documents came belong to those documents.
    factsForNew: () => (names === undefined ? facts() : blank),
    putBack() {
      if (cleared.value !== undefined) write(cleared.value);
      cleared.value = undefined;
    },
    change(opened) {
      const before = names;
      // Facts typed before the first documents came belong to those documents.
      const typed = isBlank() || before === undefined ? undefined : facts();
      const held = typed ?? waiting;
      if (typed !== undefined) write(blank);
      cleared.value = undefined;
      waiting = held;
      if (opened !== undefined) {
        void keepForSameCustomer(opened, before, held);
        return;
      }
      changes.cancel();
      waiting = undefined;
      names = new Set();
      cleared.value = held;
    },
  };
}

/**
 * Lists the names by which documents identify their customer: licenses, installations and domains, genuine or not. Documents that
 * share one of these names are taken for one customer's.
 */
export function customerNamesOf(inspections: readonly Inspection[]): Set<string> {
  return new Set(
    inspections.flatMap(({ license, certificate, stated }) => {
      const [licensed, certified] = [license?.says, certificate?.says];
      return Object.entries({
        license: [licensed?.licenseId, certified?.licenseId],
        installation: [certified?.installationId, stated.installationId],
        domain: [licensed?.domain, certified?.domain, stated.domain],
      }).flatMap(([kind, names]) =>
        names.flatMap((name) => (name === undefined ? [] : [`${kind} ${name.toLowerCase()}`])),
      );
    }),
  );
}
