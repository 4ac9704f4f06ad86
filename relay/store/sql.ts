import type { Upkeep } from '#relay/store/store';

export type Value = string | number | Uint8Array | null | undefined;
/** A statement for both databases, with its values for `$1` and so on; undefined is null. */
export type Statement = readonly [text: string, ...values: Value[]];
/** A row of one of our own tables, with the column names of its statement. */
export type Row = Readonly<Record<string, unknown>>;
export type Rows = readonly Row[];

/**
 * The work of one transaction: a generator that yields statements, several at once for one round trip, and receives their rows. It returns
 * its value and the statements to send with the commit.
 */
export type Work<T> = () => Generator<
  Statement[],
  readonly [value: T, ...last: Statement[]],
  Rows[]
>;

/** Runs statements in one of the databases. Every method rejects if the database cannot be used. */
export interface Database extends Upkeep {
  /** Runs statements that change nothing, in one round trip. */
  read(...statements: Statement[]): Promise<Rows[]>;
  /** Runs statements in one transaction; it resolves when that is on the disk. */
  batch(...statements: Statement[]): Promise<void>;
  /** Runs work in one transaction, and retries if `must` finds a changed row. @param anyway uses the reserved room if the disk is full */
  write<T>(work: Work<T>, anyway?: boolean): Promise<T>;
  /**
   * Commits the first statements, runs the locking ones, calls `use` while the locks are held, and commits what it returns. Neither commit
   * waits for PostgreSQL's disk. `holds` tells whether the locks are still held, since a stalled process may have lost them.
   */
  hold(
    first: Statement[],
    locks: Statement[],
    use: (first: Rows[], locked: Rows[], holds: () => boolean) => Statement[],
  ): Promise<void>;
  /** Shares work between simultaneous requests, if that saves commits. @param atOnce how many groups may run at once */
  together<In, Out>(
    work: (all: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>,
    atOnce?: number,
  ): (one: In) => Promise<Out>;
  countMonth(month: string): Promise<Rows>;
  /** Deletes some outdated audit rows, and returns a row for each. */
  readonly deleteOldAudit: Statement;
  readonly auditInDoubt: Statement;
  /** Whether each process has its own clock for the pace. */
  readonly hasOwnClock: boolean;
  /**
   * Returns how far the pace's clock has jumped since this process began; for its own clock, how far it is ahead of the wall clock. @param
   * now its present value
   */
  readonly jumpedMs: (now: number) => number;
}

/** Another process holds the database's write lock. */
export class DatabaseLocked extends Error {
  override readonly name = 'DatabaseLocked';
  override readonly message =
    'Another process keeps the database locked: try again once it has ended.';
}

/** The database's disk is full, and nothing was written. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
  override readonly message = 'The disk of the database is full: make room.';
}

const texts = new WeakMap<TemplateStringsArray, string>();

const isStatement = (part: Value | Statement): part is Statement => Array.isArray(part);

/** Builds a statement: each part is a value, or a statement to embed. Values are never pasted as text, so it can be prepared. */
export function sql(
  strings: TemplateStringsArray,
  ...parts: readonly (Value | Statement)[]
): Statement {
  const known = texts.get(strings);
  if (known !== undefined) return [known, ...(parts as readonly Value[])];
  const values: Value[] = [];
  let text = strings[0] ?? '';
  parts.forEach((part, n) => {
    if (isStatement(part)) {
      const [inner, ...own] = part;
      const before = values.length;
      text += inner.replaceAll(/\$(\d+)/g, (_, place) => `$${String(Number(place) + before)}`);
      values.push(...own);
    } else {
      values.push(part);
      text += `$${String(values.length)}`;
    }
    text += strings[n + 1] ?? '';
  });
  if (!parts.some(isStatement)) texts.set(strings, text);
  return [text, ...values];
}
