/** Epoch milliseconds. Those of a store are the database's where instances share one. */
export interface Clocks {
  /** For expiry and audit. */
  readonly now: () => number;
  /** For the pace; never jumps while the process runs, but with the clock of PostgreSQL's host, which it follows. */
  readonly paceNow: () => number;
}

export const machineClocks: Clocks = {
  now: Date.now,
  paceNow: () => performance.timeOrigin + performance.now(),
};
