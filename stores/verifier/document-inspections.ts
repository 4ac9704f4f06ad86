import { shallowReactive } from 'vue';

import { rememberForm } from '#core/key-ring/index';
import type { PinnedKey } from '#core/keys/index';
import type { Inspection } from '#core/license/index';
import type { DocumentReport, InspectionContext, Source } from '#core/verifier/index';
import { latest, type LatestSeries } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';
import { useAuthorityAnswers } from '#stores/verifier/authority-answers';
import { clockMemoryPort, keyRingPort, verifyPort } from '#stores/verifier/ports';
import type { TicketFacts } from '#stores/verifier/ticket-fields';

/** One document on the page with its newest report. */
export interface OpenedDocument {
  readonly id: number;
  /** The file's original name; absent for pasted text. */
  readonly name: string | undefined;
  readonly source: Source;
  report: DocumentReport | undefined;
  judgedAt: number;
  /** The moment chosen on the timeline, epoch milliseconds; undefined for the present. */
  moment: number | undefined;
  busy: boolean;
  /** Whether the worker was lost while inspecting it. */
  lost: boolean;
}

/** Inspects documents, again whenever the facts that they are compared with change. */
export interface DocumentInspections {
  /** @param moment epoch milliseconds; by default the present */
  readonly contextAt: (moment?: number, facts?: TicketFacts) => Promise<InspectionContext>;
  /** Opens a document, and starts inspecting it if its report is not known yet. */
  readonly open: (
    name: string | undefined,
    source: Source,
    known?: { readonly report: DocumentReport | undefined; readonly context: InspectionContext },
  ) => OpenedDocument;
  /** Inspects a document again; only the newest report is shown. */
  readonly inspect: (document: OpenedDocument) => void;
  /** Waits until documents are judged, and returns their inspections. */
  readonly inspectionsOf: (documents: readonly OpenedDocument[]) => Promise<Inspection[]>;
}

/** Call it in a store's setup. @param facts returns the facts from the ticket */
export function createDocumentInspections(facts: () => TicketFacts): DocumentInspections {
  const clock = usePort(clockPort);
  const clockMemory = usePort(clockMemoryPort);
  const verify = usePort(verifyPort);
  const ring = usePort(keyRingPort);
  const answers = useAuthorityAnswers();
  const inspections = new WeakMap<
    OpenedDocument,
    { series: LatestSeries; running: Promise<void> }
  >();
  let lastId = 0;

  async function contextAt(
    moment?: number,
    { expected, unreached }: TicketFacts = facts(),
  ): Promise<InspectionContext> {
    const present = clock();
    // The ring is read each time, so that a key revoked in another window does not count here either.
    const [latestSeen, pinned] = await Promise.all([clockMemory.note(present), ring.read()]);
    return {
      now: moment ?? present,
      // Judging at another moment does not mean that the clock was turned back.
      ...(moment === undefined && { latestSeen }),
      keys: pinned,
      expected,
      unreached,
      answers: answers.list,
    };
  }

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

  /** Waits for the present inspection, and for those that replace it in the meantime. */
  async function settled(document: OpenedDocument): Promise<void> {
    for (let seen: Promise<void> | undefined; seen !== inspections.get(document)?.running;) {
      seen = inspections.get(document)?.running;
      await seen;
    }
  }

  async function inspectionsOf(documents: readonly OpenedDocument[]): Promise<Inspection[]> {
    for (const document of documents) await settled(document);
    return documents.flatMap(({ report }) =>
      report === undefined ? [] : [report.inspection, ...report.inspection.others],
    );
  }

  return { contextAt, open, inspect, inspectionsOf };
}
