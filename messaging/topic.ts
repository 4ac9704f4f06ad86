import * as v from 'valibot';
import { popupPageOf, popupThemes } from '#core/preferences/index';

/** Our pages that may message the worker, and the files they are built to. */
export const pages = {
  popup: popupThemes.map(popupPageOf),
  sidepanel: ['sidepanel.html'],
  options: ['options.html'],
  desk: ['desk.html'],
  verifier: ['verifier.html'],
} as const;

export type PageName = keyof typeof pages;

/** One of our pages, or our script in a web page, which is trusted far less. */
type AskerName = PageName | 'ticket-script';

export const checkPages = ['popup', 'sidepanel', 'options', 'desk'] as const;
/** The pages that are open beside a ticket, and the one that holds its settings. */
export const ticketPages = ['popup', 'sidepanel', 'options'] as const;
export const optionsPage = ['options'] as const;
export const deskPage = ['desk'] as const;
export const verifierPage = ['verifier'] as const;

/** For each topic of a feature: who may send it, and the exact form of its body. */
export type Rules = Readonly<
  Record<string, { readonly from: readonly AskerName[]; readonly body: v.GenericSchema }>
>;

/** Matches only `{}`. */
export const noBody = v.record(v.string(), v.never());

/**
 * Returns a schema for non-empty text of limited length.
 * @param maxLength in UTF-16 units
 */
export function boundedText(maxLength: number): v.GenericSchema<unknown, string> {
  return v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength));
}

/** Matches a purchase code as typed, of at most 128 UTF-16 units. */
export const codeSchema = boundedText(128);

/**
 * Returns the length of a value as JSON, in UTF-16 units. Firefox clones messages, so a value may not be JSON; then its
 * length is infinite.
 */
export function jsonLength(value: unknown): number {
  try {
    return (JSON.stringify(value) as string | undefined)?.length ?? Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
