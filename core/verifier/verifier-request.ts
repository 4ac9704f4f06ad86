import type { Check, InspectContext, Inspection } from '#core/license/index';
import type { PublicKey, PublicKeyFault } from '#core/keys/index';
import type { Result } from '#core/result';

/** A request to a verify worker. Everything from a customer is parsed there, never on the page. */
export type VerifierRequest =
  /** One or two files, dropped together. */
  | {
      readonly ask: 'open';
      readonly files: readonly SliceableFile[];
      readonly context: InspectionContext;
    }
  | { readonly ask: 'inspect'; readonly source: Source; readonly context: InspectionContext }
  /** Many documents, for a table. A few are inspected at a time, in this order. */
  | {
      readonly ask: 'inspect-many';
      readonly sources: readonly Source[];
      readonly context: InspectionContext;
    }
  | { readonly ask: 'read-key'; readonly source: string | Uint8Array };

interface Answers {
  open: OpenedFiles;
  inspect: DocumentReport;
  'inspect-many': DocumentSummary[];
  'read-key': Result<PublicKey, PublicKeyFault>;
}

export type VerifierReply<Q extends VerifierRequest> = Answers[Q['ask']];

/** A numbered request to a verify worker. The pool does not look inside it. */
export interface PoolRequest<Q> {
  readonly id: number;
  readonly request: Q;
}

export type PoolReply<A> =
  | { readonly id: number; readonly answer: A }
  /** The worker threw, which is a bug. */
  | { readonly id: number; readonly error: string };

/** A file whose size is checked before it is read, such as a `File`. */
export interface ReadableFile {
  /** Bytes. */
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A file of which a part can be read, such as a `Blob`. */
export interface SliceableFile extends ReadableFile {
  slice(from: number, to: number): ReadableFile;
}

/** A line of a list: `from` and `to` are byte offsets in the file. */
export interface LineOfFile {
  readonly file: SliceableFile;
  readonly from: number;
  readonly to: number;
}

/** The source of a document's text. Two parts are one customer's license and certificate, in separate files. */
export type Source =
  | { readonly text: string }
  | { readonly parts: readonly ReadableFile[] }
  | LineOfFile;

/**
 * What the files contain: a list with one document per line; a license and its certificate, with one report; or one
 * report per file.
 */
export type OpenedFiles =
  | { readonly as: 'list'; readonly lines: ListLines }
  | { readonly as: 'pair' | 'documents'; readonly reports: readonly DocumentReport[] };

/** The positions of the non-blank lines of a list: three numbers per line. */
export interface ListLines {
  readonly count: number;
  /** The line's number from 1, counting blank lines; its start in bytes; and its end in bytes, before the line feed. */
  readonly ranges: Uint32Array;
}

/** Everything besides the document that an inspection depends on. */
export type InspectionContext = Omit<InspectContext, 'engine' | 'authority'>;

/** The findings of one source: a text, a file, or a license and its certificate in separate files. JSON-safe. */
export interface DocumentReport {
  readonly inspection: Inspection;
  /** The purchase code that it contains instead of a license. */
  readonly purchaseCode?: string;
}

/** The facts in a license and its certificate. JSON-safe; moments are epoch milliseconds. */
export interface DocumentFacts {
  readonly domain?: string;
  readonly product?: string;
  readonly licenseId?: string;
  readonly expiresAt?: number;
  readonly nextValidationAt?: number;
}

/** A report shortened for a table of ten thousand rows. JSON-safe. */
export interface DocumentSummary {
  readonly standing: Inspection['standing'];
  /** Absent if its worker was lost. */
  readonly headline?: Inspection['headline'];
  readonly domain?: string;
  readonly product?: string;
  readonly licenseId?: string;
  /** The facts in documents that could not be verified or refuted. */
  readonly unproven?: DocumentFacts;
  readonly failed: readonly Check['id'][];
  readonly warned: readonly Check['id'][];
  /** How many signature checks found no matching key. Absent if there were none, or a key was found. */
  readonly triedInVain?: number;
  /** How many further licenses and installations the same file contains. */
  readonly others?: number;
}

/** Sends a request to a verify worker. Rejects if the worker was lost, or was terminated for taking too long. */
export interface Verify {
  /** The maximum number of workers. */
  readonly size: number;
  ask<Q extends VerifierRequest>(request: Q): Promise<VerifierReply<Q>>;
}
