import type {
  CheckId,
  FileStanding,
  InspectionHeadline,
  Inspection,
} from '#core/license/inspect/inspection';

/** What is said of one document. JSON-safe. */
export interface DocumentReport {
  readonly inspection: Inspection;
  /** There is no license in it, but a purchase code. */
  readonly purchaseCode?: string;
}

/** The short form, for a table of ten thousand. */
export interface Row {
  readonly standing: FileStanding;
  /** Absent when its worker was lost. */
  readonly headline?: InspectionHeadline;
  readonly domain?: string;
  readonly product?: string;
  readonly licenseId?: string;
  readonly failed: readonly CheckId[];
  readonly warned: readonly CheckId[];
  /** Further licenses in the same file. */
  readonly others?: number;
}
