/** Epoch milliseconds. If instances share a database, they are the database's. */
export interface Clocks {
  /** For expiry and audit. */
  readonly now: () => number;
  /** For the pace. It never jumps while the process runs, except with the clock of PostgreSQL's host, which it follows. */
  readonly paceNow: () => number;
}

export const machineClocks: Clocks = {
  now: Date.now,
  paceNow: () => performance.timeOrigin + performance.now(),
};
