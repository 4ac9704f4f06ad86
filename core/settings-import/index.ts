export {
  type EntryIds,
  entryIdsSchema,
  noEntries,
  unionOfEntries,
  withoutEntries,
} from '#core/settings-import/entry-ids';
export {
  isAuthorityOfFile,
  isConnectionOfFile,
  mergeAuthorities,
  mergeConnections,
  type MergedConnections,
  mergeSites,
  type Named,
  type NamedChanges,
  type PrivacyChange,
  privacyChanges,
} from '#core/settings-import/import-settings';
export { type MergedTemplates, mergeTemplates } from '#core/settings-import/merge-templates';
