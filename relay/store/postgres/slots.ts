import type { Database } from '#relay/store/postgres/database';
import { inGroups } from '#relay/store/postgres/groups';
import type { ServingStore, SlotAnswer, SlotRequest } from '#relay/store/store';

/** Holds an answer as `take_slots` returns it. */
export type SlotRow = { readonly granted: true } | Extract<SlotAnswer, { granted: false }>;

export function toSlotAnswer(row: SlotRow): SlotAnswer {
  return row.granted ? { granted: true } : { granted: false, at: row.at, because: row.because };
}

/** Creates what takes slots. Requests of one connection are decided in groups, since each locks the same row until its commit. */
export function slotsOf(database: Database): ServingStore['takeSlot'] {
  const groups = new Map<string, (request: SlotRequest) => Promise<SlotAnswer>>();
  return (request) => {
    const { id, limit, windowMs } = request.connection;
    const rule = [id, limit, windowMs, request.deadlineMs] as const;
    const name = JSON.stringify(rule);
    let take = groups.get(name);
    if (take === undefined) {
      take = inGroups<SlotRequest, SlotAnswer>(
        async (requests) => {
          const asked = requests.map(({ agent, bulk, lease, unlessCached, subject }) => ({
            ...{ agent, bulk, lease, unlessCached, subject },
          }));
          const rows = await database.query<SlotRow>(
            'SELECT granted, at, because FROM take_slots($1, $2, $3, $4, $5)',
            [...rule, JSON.stringify(asked)],
          );
          return rows.map(toSlotAnswer);
        },
        { lanes: 1 },
      );
      groups.set(name, take);
    }
    return take(request);
  };
}
