import { findCodes } from '#core/check/find-codes';
import { classifyInput } from '#core/check/classify-input';

/** What was read from the page of a tab, on the agent's gesture or on a site the agent has allowed. */
export interface PageText {
  /** Of the page's address; absent where the browser does not tell it. */
  readonly origin?: string;
  /** The page's whole address, where the browser tells it and it is one that can be gone back to. */
  readonly address?: string;
  /** What the agent has selected; `''` where nothing is. May be as long as the page likes. */
  readonly selection: string;
  /** The page's own text, capped; read only where nothing is selected. */
  readonly text: string;
}

/** What becomes of a reading: nothing, or text for the field, which is asked about at once or waits for Enter. */
export type InputPlan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'fill'; readonly text: string; readonly atOnce: boolean }
  /** The selection is a license or certificate: its text, for the verifier. */
  | { readonly kind: 'license'; readonly text: string }
  | { readonly kind: 'too-long' };

interface Terms {
  /** Verdicts are shown on this page's site. */
  readonly allowed: boolean;
  /** The agent's setting: a selected code is asked about at once. */
  readonly selectionAtOnce: boolean;
  /** See `findCodes`. */
  readonly patterns: readonly string[];
}

/** More codes than this are not asked about without Enter: each costs a request of the limit. */
const maxCodesAtOnce = 5;

/** Codes that were found on the page rather than selected are listed up to this many. */
const maxFoundCodes = 50;

/**
 * Decides what to do with what stands on a page. A selection is the agent's own word, and goes first; one without a code
 * in it says nothing about the page, so the page's codes are offered then, but never asked about unless the site is allowed.
 */
export function planInput({ selection, text }: PageText, terms: Terms): InputPlan {
  const { allowed, selectionAtOnce, patterns } = terms;
  const input = classifyInput(selection, { patterns });
  switch (input.kind) {
    case 'codes': {
      const { length } = input.codes;
      const atOnce = (selectionAtOnce && length === 1) || (allowed && length <= maxCodesAtOnce);
      return { kind: 'fill', text: linesOf(input.codes), atOnce };
    }
    case 'license':
      return { kind: 'license', text: selection };
    case 'too-long':
      return { kind: 'too-long' };
    case 'odd':
      // One word alone: selected on purpose, so offered, but a name or an order number looks the same.
      return { kind: 'fill', text: input.code, atOnce: false };
    case 'nothing':
    case 'empty': {
      const found = findCodes(text, { patterns });
      if (found.length === 0) return { kind: 'nothing' };
      return {
        kind: 'fill',
        text: linesOf(found.slice(0, maxFoundCodes)),
        atOnce: allowed && found.length <= maxCodesAtOnce,
      };
    }
  }
}

function linesOf(codes: readonly { readonly code: string }[]): string {
  return codes.map(({ code }) => code).join('\n');
}
