import type { TextRepair, RepairId } from '#core/license/extract/repair';

/** Counts repairs as they are made. */
export class RepairTally {
  readonly #counts = new Map<RepairId, number>();

  add(id: RepairId, count = 1): void {
    if (count > 0) this.#counts.set(id, (this.#counts.get(id) ?? 0) + count);
  }

  addAll(repairs: readonly TextRepair[]): void {
    for (const { id, count } of repairs) this.add(id, count);
  }

  /** Lists the repairs in the order in which each kind first came up. */
  list(): TextRepair[] {
    return Array.from(this.#counts, ([id, count]) => ({ id, count }));
  }
}
