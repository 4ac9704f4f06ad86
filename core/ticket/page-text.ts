import { classifyInput, isToken } from '#core/codes/index';

/** The text of a tab's page, read after the agent's action or on an allowed site. */
export interface PageText {
  /** The origin of the page; absent if the browser does not report it. */
  readonly origin?: string;
  /** The page's full address, if the browser reports it and it can be opened again. */
  readonly address?: string;
  /** Its heading, on one line; `''` if it has none. */
  readonly subject: string;
  /** Distinguishes the documents loaded in the same tab one after the other; absent if unknown. */
  readonly document?: number;
  /** Whether the document was loaded at another address. */
  readonly moved?: boolean;
  /** Addresses of attached files on the page's own origin that may be licenses. */
  readonly attached: readonly string[];
  /** The selected text; `''` if nothing is selected. Its length is not limited. */
  readonly selection: string;
  /** The page's text, limited in length; read only if nothing is selected. */
  readonly text: string;
  /** The initial text of the page's fields, such as a reply that quotes the customer. */
  readonly quoted?: string;
}

/** The tab that the agent is looking at. */
export interface FrontTab {
  readonly tabId: number;
  readonly address?: string;
  /** The previous address in this tab, if it changed while the tab was followed. */
  readonly from?: string;
}

/** Reads and follows the page in the tab that the agent is looking at. */
export interface TabPagePort {
  /**
   * Reads the selection, else the page's text. Returns undefined if the browser does not permit it: on its own pages,
   * and everywhere without a user gesture or a permission.
   * @param leavesTyped whether to leave out text that is being typed on the page
   */
  read(leavesTyped?: boolean): Promise<PageText | undefined>;
  /** Returns the active tab, with its address if the browser reports it. */
  front(): Promise<FrontTab | undefined>;
  /**
   * Calls back when the active tab of this window, its address or its title changes.
   * @param permitted called when another origin becomes permitted
   */
  follow(changed: () => void, permitted: () => void): void;
}

/** What to do with a page's text: nothing, or put text into the field and check it at once or after Enter. */
export type InputPlan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'fill'; readonly text: string; readonly atOnce: boolean }
  /** The selection is a license or certificate for the verifier. */
  | { readonly kind: 'license'; readonly text: string }
  /**
   * The page contains a license but no code, and nothing is selected: the license is offered and the field stays empty.
   */
  | { readonly kind: 'license-on-page'; readonly text: string }
  | { readonly kind: 'too-long' };

interface Terms {
  /** Whether verdicts may be shown on the page's site. */
  readonly allowed: boolean;
  /** The setting "check a selected or pasted code at once". */
  readonly selectionAtOnce: boolean;
  /** See `locateCodes`. */
  readonly patterns: readonly string[];
}

/** If there are more codes, they wait for Enter, since each uses a request of the rate limit. */
const maxCodesAtOnce = 5;

/** The number of codes listed from a page without a selection. */
const maxFoundCodes = 50;

/**
 * Decides what to do with a page's text. A selection comes first. If it contains no code, the codes of the page are
 * offered, and checked at once only on an allowed site.
 */
export function planInput(
  { selection, text }: Pick<PageText, 'selection' | 'text'>,
  terms: Terms,
): InputPlan {
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
      // A single word waits for Enter, since it may be a name or an order number.
      return { kind: 'fill', text: input.code, atOnce: false };
    case 'nothing':
    case 'empty': {
      const page = classifyInput(text, { patterns });
      if (page.kind === 'odd') return { kind: 'fill', text: page.code, atOnce: false };
      const found = page.kind === 'codes' ? page.codes : [];
      if (found.length === 0) {
        const license = licenseOnPage(text);
        return license === undefined
          ? { kind: 'nothing' }
          : { kind: 'license-on-page', text: license };
      }
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

/** In UTF-16 units; a license takes at most 16 KiB, its certificate 64. */
const maxLength = 262_144;
/** Mail programs break a token into lines about this long, and prose has no words of that length. */
const minBrokenLineLetters = 40;

/**
 * Finds licenses and certificates in the text of a page: armoured blocks and tokens, each on a separate line. A token
 * broken into lines keeps its line breaks, because the verifier needs them to find its end. Checks the form, not the
 * signature.
 * @returns undefined if there is none
 */
export function licenseOnPage(text: string): string | undefined {
  const found = [...armouredBlocks(text), ...tokens(text)];
  return found.length === 0 ? undefined : [...new Set(found)].join('\n').slice(0, maxLength);
}

function armouredBlocks(text: string): string[] {
  const blocks = text.matchAll(
    /-----BEGIN ([A-Z0-9 ]{0,40}(?:LICEN[CS]E|CERTIFICATE|ACTIVATION)[A-Z0-9 ]{0,40})-----[^-]{20,100000}-----END \1-----/gu,
  );
  return Array.from(blocks, ([block]) => block);
}

function tokens(text: string): string[] {
  const found: string[] = [];
  /** The lines of a token that may continue in the next line. */
  let lines: string[] = [];
  const end = (): void => {
    if (lines.length > 0 && holdTokens(lines)) found.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split('\n')) {
    const alone = line.trim();
    const isPart = /^[\w.=-]+$/u.test(alone);
    const isLong = alone.length >= minBrokenLineLetters;
    if (isPart && (isLong || lines.length > 0)) lines.push(alone);
    // The last line of a broken token may be short, and a whole token needs no other line.
    if (!isPart || !isLong || (lines.length === 1 && isToken(alone))) end();
    if (!isPart) found.push(...wordsOf(line).filter(isToken));
  }
  end();
  return found;
}

/** Tells whether lines form one token, or several without an empty line between them. */
function holdTokens(lines: readonly string[]): boolean {
  const segments = lines.join('').split('.');
  return segments.some((segment, at) => isToken(`${segments[at - 1] ?? ''}.${segment}`));
}

function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/[\w.=-]{77,}/gu), ([word]) => word);
}
