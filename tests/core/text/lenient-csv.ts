export const separators = [',', ';', '\t'] as const;

const isUndrawn = (sign: string): boolean => /^[\s\p{C}\p{DI}]$/u.test(sign);
const firstDrawn = /[^"\s\p{C}\p{DI}]/u;

/**
 * Reads cells as lenient programs do: a quote is heeded after spaces and undrawn characters as well, and what follows
 * the closing one belongs to the cell. With `quotes` ignored, each separator and line break parts, wherever it stands.
 */
export function readLeniently(
  text: string,
  separator: string,
  quotes: 'heeded' | 'ignored',
): string[] {
  const signs = Array.from(text);
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  let isEmpty = true;
  for (let at = 0; at < signs.length; at += 1) {
    const sign = signs[at] ?? '';
    if (sign === '"' && quotes === 'ignored') continue;
    if (sign === '"' && quoted && signs[at + 1] !== '"') quoted = false;
    else if (sign === '"' && !quoted && isEmpty) quoted = true;
    else if (!quoted && (sign === separator || sign === '\r' || sign === '\n')) {
      cells.push(cell);
      cell = '';
      isEmpty = true;
    } else {
      if (sign === '"' && quoted) at += 1;
      cell += sign;
      isEmpty &&= isUndrawn(sign);
    }
  }
  return [...cells, cell];
}

/** Tells whether a program that passes over quotes and undrawn characters takes the cell for a formula. */
export function isFormula(cell: string): boolean {
  return /^[=+\-@＝＋－＠]/u.test(firstDrawn.exec(cell)?.[0] ?? '');
}
