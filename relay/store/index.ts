export { moveDatabase } from '#relay/store/move-database';
export { isPostgres, openStore, whyRefused } from '#relay/store/open-store';
export { prepareDatabase, roleInUse } from '#relay/store/prepare';
export { type Stored, tallies } from '#relay/store/records';
export type { Store } from '#relay/store/store';
