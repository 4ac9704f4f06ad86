import type { Texts } from '#scripts/translations/texts';

type Row = Readonly<Record<string, string>>;

/** Reads rows whose first names the columns. */
export function rowsOf(lines: readonly string[], separator: ',' | '|'): readonly Row[] {
  const [head = [], ...rows] = lines.map((line) =>
    line.split(separator).map((cell) => cell.trim()),
  );
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [head[at] ?? '', cell])));
}

export function tablesOf(document: string): readonly (readonly Row[])[] {
  return [...document.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => {
    const lines = table.trim().split('\n');
    return rowsOf(
      lines.filter((_, at) => at !== 1),
      '|',
    );
  });
}

/** Leaves out placeholders and paths. */
function wordsIn(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\{[^}]*\}|(?:\/[\w-]+)+/g, ' ');
}

export function formsOf(cell: string | undefined): readonly string[] {
  return (cell ?? '').split(' / ').map((form) => wordsIn(form));
}

function holds(text: string, forms: readonly string[]): boolean {
  return forms.some((form) => text.includes(form));
}

/** Finds the texts that have a term, as a term of its own: "purchase" is none in "purchase code". */
export function keysWith(
  forms: readonly string[],
  all: readonly string[],
  english: Texts,
): readonly string[] {
  const longer = all.filter((other) =>
    forms.some((form) => other !== form && other.includes(form)),
  );
  return [...english].flatMap(([key, text]) => {
    const rest = longer.reduce((left, term) => left.replaceAll(term, ' '), wordsIn(text));
    return holds(rest, forms) ? [key] : [];
  });
}

/**
 * Names each translated text that lacks the word for a term, or holds one that is not used.
 * @param saidOtherwise texts that say a term in another way, and in which languages
 */
export function glossaryProblems(
  held: readonly Row[],
  wrong: readonly Row[],
  english: Texts,
  translated: Texts,
  language: string,
  saidOtherwise: Readonly<Record<string, readonly string[]>> = {},
): readonly string[] {
  const all = held.flatMap((row) => formsOf(row['English']));
  const lacking = held.flatMap((row) =>
    keysWith(formsOf(row['English']), all, english)
      .filter((key) => !(saidOtherwise[key] ?? []).includes(language))
      .filter((key) => {
        const text = translated.get(key);
        return text !== undefined && !holds(wordsIn(text), formsOf(row[language]));
      })
      .map((key) => `${key}: lacks ${row['English'] ?? ''}`),
  );
  const unused = wrong
    .filter((row) => row['Language'] === language)
    .flatMap((row) =>
      [...translated]
        .filter(([, text]) => holds(wordsIn(text), formsOf(row['Not'])))
        .map(([key]) => `${key}: holds ${row['Not'] ?? ''}`),
    );
  return [...lacking, ...unused];
}
