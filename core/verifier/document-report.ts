import type {
  CheckId,
  FileStanding,
  InspectionHeadline,
  Inspection,
} from '#core/license/inspect/inspection';

/** Holds the judgement of one source: a text, a file, or a license and its certificate in files of their own. JSON-safe. */
export interface DocumentReport {
  readonly inspection: Inspection;
  /** There is no license in it, but a purchase code. */
  readonly purchaseCode?: string;
}

/** Holds a report shortened for a table of ten thousand rows. JSON-safe. */
export interface DocumentSummary {
  readonly standing: FileStanding;
  /** Absent when its worker was lost. */
  readonly headline?: InspectionHeadline;
  readonly domain?: string;
  readonly product?: string;
  readonly licenseId?: string;
  readonly failed: readonly CheckId[];
  readonly warned: readonly CheckId[];
  /** How many signature checks were made without finding a key that verifies it. Absent: none, or one was found. */
  readonly triedInVain?: number;
  /** How many further licenses and installations the same file holds. */
  readonly others?: number;
}
