/** Holds a run of letters that a compact document may be made of. */
export interface Chunk {
  /** In the base64url alphabet and without padding. It may end in one dot: a sentence's, or what parts two segments. */
  readonly text: string;
  /** Where `text` begins in the group's `joined`. */
  readonly offset: number;
  /** Its stretch of the whole text, padding included. */
  readonly from: number;
  readonly to: number;
  /** Whether nothing else stands on its line. */
  readonly alone: boolean;
}

/** Runs that nothing but spaces and line ends interrupts. */
export interface ChunkGroup {
  readonly joined: string;
  readonly chunks: readonly Chunk[];
}

const chunkPattern = /(?:[A-Za-z0-9_\-+/.]|(?<=[A-Za-z0-9_\-+/])={1,4}(?![A-Za-z0-9_\-+/=]))+/g;
/** Spaces, line ends, the quoting of mail after a line end, a shell's line end. */
const softPattern = /^(?:\s*|\\?[ \t]*[\r\n][\s>|]*)$/;

export function chunkGroups(text: string): ChunkGroup[] {
  const groups: { joined: string[]; length: number; chunks: Chunk[] }[] = [];
  let last = 0;
  for (const match of text.matchAll(chunkPattern)) {
    const run = withoutEllipsis(match[0]);
    if (run === '') continue;
    const from = match.index;
    const to = from + run.length;
    const between = text.slice(last, from);
    const present = groups.at(-1);
    const joins = present !== undefined && between.length < 200 && softPattern.test(between);
    const group = joins ? present : { joined: [], length: 0, chunks: [] };
    if (!joins) groups.push(group);
    const chunk = {
      text: plain(run),
      offset: group.length,
      from,
      to,
      alone: beginsLine(between, last) && endsLine(text, to),
    };
    group.chunks.push(chunk);
    group.joined.push(chunk.text);
    group.length += chunk.text.length;
    last = to;
  }
  return groups.map(({ joined, chunks }) => ({ joined: joined.join(''), chunks }));
}

/** Removes several dots at the end: one may separate two segments, several never do. */
function withoutEllipsis(run: string): string {
  if (!run.endsWith('..')) return run;
  let end = run.length;
  while (run[end - 1] === '.') end -= 1;
  return run.slice(0, end);
}

function plain(run: string): string {
  return run.replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
}

function beginsLine(between: string, last: number): boolean {
  const lineStart = Math.max(between.lastIndexOf('\n'), between.lastIndexOf('\r'));
  return (lineStart >= 0 || last === 0) && /^[\s>|"'`]*$/.test(between.slice(lineStart + 1));
}

function endsLine(text: string, to: number): boolean {
  return /^[ \t"'`\\]*(?:[\r\n]|$)/.test(text.slice(to, to + 80));
}
