/** An entry of the command bar: a page, a setting, a reply, an item, a bulk check, or a code of the history. */
export interface Command {
  readonly kind: 'page' | 'setting' | 'reply' | 'item' | 'job' | 'code';
  readonly title: string;
  /** Further text that a search matches, besides the kind. */
  readonly detail: string;
  /** A page of the extension, with the fragment to open in it. */
  readonly href: string;
  /** The code's digest, so that the whole code finds it too. */
  readonly codeId?: string;
  /** The code was last checked in bulk: it is listed only once something is typed. */
  readonly isOfJob?: boolean;
}

/** At most this many entries of one kind are listed, so that every kind is seen. */
const maxOfKind = 6;
/** How many codes are listed while nothing is typed. */
const maxCodesAtFirst = 3;

/**
 * Returns the commands that contain every word of a text: first those whose title begins with the text, then those with
 * a word that does. While nothing is typed, the pages and the codes that were checked last are listed.
 * @param commands in the order in which equally good matches are listed
 * @param codeId the digest of the text, if it is a code
 */
export function findCommands(
  text: string,
  commands: readonly Command[],
  codeId?: string,
): readonly Command[] {
  const needle = fold(text.trim());
  if (needle === '')
    return [
      ...commands.filter(({ kind }) => kind === 'page'),
      ...commands
        .filter(({ kind, isOfJob }) => kind === 'code' && isOfJob !== true)
        .slice(0, maxCodesAtFirst),
    ];
  const words = needle.split(/\s+/u);
  const counts = new Map<string, number>();
  return commands
    .map((command) => ({ command, rank: rankOf(command, needle, words, codeId) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command)
    .filter(({ kind }) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count <= maxOfKind;
    });
}

/** A higher rank is a better match; 0 is none. */
function rankOf(
  { title, detail, codeId }: Command,
  needle: string,
  words: readonly string[],
  wanted: string | undefined,
): number {
  if (wanted !== undefined && codeId === wanted) return 4;
  const name = fold(title);
  const whole = `${name} ${fold(detail)}`;
  if (!words.every((word) => whole.includes(word))) return 0;
  if (name.startsWith(needle)) return 3;
  return ` ${name}`.includes(` ${needle}`) ? 2 : 1;
}

/** Folds a text for comparison: in lower case, without diacritics. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
