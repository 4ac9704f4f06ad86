import * as v from 'valibot';
import { popupPageOf, popupThemes } from '#core/preferences/index';

/** The pages of ours that may message the worker, by the files they are built to. */
export const pages = {
  popup: popupThemes.map(popupPageOf),
  sidepanel: ['sidepanel.html'],
  options: ['options.html'],
  desk: ['desk.html'],
  verifier: ['verifier.html'],
} as const;

export type PageName = keyof typeof pages;

/** A page of ours, or our script in a web page, which is trusted far less. */
type AskerName = PageName | 'ticket-script';

export const checkPages = ['popup', 'sidepanel', 'options', 'desk'] as const;
/** The pages that are open beside a ticket, and the one that holds its settings. */
export const ticketPages = ['popup', 'sidepanel', 'options'] as const;
export const optionsPage = ['options'] as const;
export const deskPage = ['desk'] as const;
export const verifierPage = ['verifier'] as const;

/** Says of each topic of a feature who may send it, and the exact form of its body. */
export type Rules = Readonly<
  Record<string, { readonly from: readonly AskerName[]; readonly body: v.GenericSchema }>
>;

/** Matches `{}` alone. */
export const noBody = v.record(v.string(), v.never());

/**
 * Returns a schema that matches text that is not empty and not too long.
 * @param maxLength in UTF-16 units
 */
export function boundedText(maxLength: number): v.GenericSchema<unknown, string> {
  return v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength));
}

/** Matches a purchase code as a person typed it; the longest in UTF-16 units. */
export const codeSchema = boundedText(128);

/**
 * Returns the length of a value as JSON, in UTF-16 units.
 * Firefox clones messages, so a value may be no JSON at all: its length is infinite.
 */
export function jsonLength(value: unknown): number {
  try {
    return (JSON.stringify(value) as string | undefined)?.length ?? Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
