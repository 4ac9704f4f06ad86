import { type CheckReport, purchaseIn } from '#core/check/index';

/** Identifies one document in which the ticket script runs. */
export interface ScriptDocument {
  readonly origin: string;
  readonly tabId: number;
  readonly frameId: number;
  /** The browser's id of the document; absent if the browser does not report it. */
  readonly documentId?: string | undefined;
}

export interface DocumentCode {
  readonly document: ScriptDocument;
  readonly code: string;
  readonly connectionIds: readonly string[];
  readonly reports: readonly CheckReport[];
}

export interface DocumentCodes {
  find(document: ScriptDocument, code: string): DocumentCode | undefined;
  /** Remembers a code, the connections that are asked about it, and their answers so far. */
  add(known: DocumentCode): void;
  /** Adds a report to each document that shows its code; returns the documents' codes whose verdict is complete. */
  addReport(report: CheckReport): DocumentCode[];
  /** Forgets all answers, but not which codes were asked about. */
  forgetReports(): void;
}

/** How many codes are remembered in all documents together; the oldest is removed first. */
const maxCodes = 300;

/**
 * Remembers the codes that each document shows. The key is document and origin, so that no page learns what another
 * page in the same tab has asked.
 */
export function createDocumentCodes(): DocumentCodes {
  const byName = new Map<string, DocumentCode>();
  return {
    find: (document, code) => byName.get(nameOf(document, code)),

    add(known) {
      const name = nameOf(known.document, known.code);
      byName.delete(name);
      byName.set(name, known);
      if (byName.size > maxCodes) byName.delete(byName.keys().next().value ?? '');
    },

    addReport(report) {
      const complete: DocumentCode[] = [];
      for (const [name, known] of byName) {
        if (known.code !== report.code) continue;
        const changed = withReport(known, report);
        if (changed === undefined) continue;
        byName.set(name, changed);
        if (isComplete(changed)) complete.push(changed);
      }
      return complete;
    },

    forgetReports() {
      for (const [name, known] of byName) byName.set(name, { ...known, reports: [] });
    },
  };
}

function nameOf({ documentId, origin, tabId, frameId }: ScriptDocument, code: string): string {
  return `${documentId ?? ''} ${origin} ${String(tabId)} ${String(frameId)} ${code}`;
}

/**
 * Returns the code with an additional report; undefined if the report changes nothing, such as a fault after an answer.
 */
function withReport(known: DocumentCode, report: CheckReport): DocumentCode | undefined {
  const { connectionIds, reports } = known;
  const { connectionId, outcome } = report;
  if (!connectionIds.includes(connectionId) && !isPurchase(report)) return undefined;
  const earlier = reports.find((one) => one.connectionId === connectionId);
  if (earlier?.outcome.ok === true && !outcome.ok) return undefined;
  return { ...known, reports: [...reports.filter((one) => one !== earlier), report] };
}

/** A verdict is complete if there is a purchase, or if every connection has answered. */
function isComplete({ connectionIds, reports }: DocumentCode): boolean {
  return (
    reports.some(isPurchase) ||
    connectionIds.every((id) => reports.some(({ connectionId }) => connectionId === id))
  );
}

function isPurchase({ outcome }: CheckReport): boolean {
  return purchaseIn(outcome) !== undefined;
}
