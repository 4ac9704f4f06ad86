import type { Check, InspectContext, Inspection } from '#core/license/index';
import type { PublicKey, PublicKeyFault } from '#core/keys/index';
import type { Result } from '#core/result';

/** A request to a verify worker. All that comes from a customer is read there, never on the page. */
export type VerifierRequest =
  /** One file or two, dropped together. */
  | {
      readonly ask: 'open';
      readonly files: readonly SliceableFile[];
      readonly context: InspectionContext;
    }
  | { readonly ask: 'inspect'; readonly source: Source; readonly context: InspectionContext }
  /** Many at once, for a table: inspected a few at a time, in this order. */
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

/** Numbers a request to a verify worker. The pool does not look into it. */
export interface PoolRequest<Q> {
  readonly id: number;
  readonly request: Q;
}

export type PoolReply<A> =
  | { readonly id: number; readonly answer: A }
  /** The worker threw: a defect in it. */
  | { readonly id: number; readonly error: string };

/** A file that is not read before its size is judged. `File` is one. */
export interface ReadableFile {
  /** Bytes. */
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A file of which a part can be read alone. `Blob` is one. */
export interface SliceableFile extends ReadableFile {
  slice(from: number, to: number): ReadableFile;
}

/** A line of a list: `from` and `to` are its bytes in the file. */
export interface LineOfFile {
  readonly file: SliceableFile;
  readonly from: number;
  readonly to: number;
}

/** The source of a document's text. Two parts are one customer's license and certificate, in files of their own. */
export type Source =
  | { readonly text: string }
  | { readonly parts: readonly ReadableFile[] }
  | LineOfFile;

/**
 * What files are: a list with a document on each line; a license and its certificate, in one report; or one report per
 * file.
 */
export type OpenedFiles =
  | { readonly as: 'list'; readonly lines: ListLines }
  | { readonly as: 'pair' | 'documents'; readonly reports: readonly DocumentReport[] };

/** The places of the non-blank lines of a list: three numbers per line. */
export interface ListLines {
  readonly count: number;
  /**
   * The line's number from 1, blank lines counted; where it begins, in bytes; and where it ends, before the line feed.
   */
  readonly ranges: Uint32Array;
}

/** Everything that an inspection depends on besides the document. */
export type InspectionContext = Omit<InspectContext, 'engine' | 'authority'>;

/** The findings of one source: a text, a file, or a license and its certificate in files of their own. JSON-safe. */
export interface DocumentReport {
  readonly inspection: Inspection;
  /** There is no license in it, but a purchase code. */
  readonly purchaseCode?: string;
}

/** What a license and its certificate say. JSON-safe; moments are epoch milliseconds. */
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
  /** Absent when its worker was lost. */
  readonly headline?: Inspection['headline'];
  readonly domain?: string;
  readonly product?: string;
  readonly licenseId?: string;
  /** What its documents say while nobody can tell whether they are genuine. */
  readonly unproven?: DocumentFacts;
  readonly failed: readonly Check['id'][];
  readonly warned: readonly Check['id'][];
  /** How many signature checks were made without finding a key that verifies it. Absent: none, or one was found. */
  readonly triedInVain?: number;
  /** How many further licenses and installations the same file holds. */
  readonly others?: number;
}

/** Asks a verify worker. Rejects when the worker was lost or ended for taking too long. */
export interface Verify {
  /** How many workers there are at most. */
  readonly size: number;
  ask<Q extends VerifierRequest>(request: Q): Promise<VerifierReply<Q>>;
}
