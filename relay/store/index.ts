export { tallies } from '#relay/store/month-count';
export { moveDatabase } from '#relay/store/move-database';
export { isPostgres, openStore, type Store, whyRefused } from '#relay/store/open-store';
export { prepareDatabase, roleInUse } from '#relay/store/prepare';
export { isConnectionId, type Stored } from '#relay/store/records';
