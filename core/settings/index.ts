export { diagnosticsText } from '#core/settings/diagnostics';
export { EntryIds } from '#core/settings/entries';
export {
  findRemoved,
  mergeLists,
  type MergedTemplates,
  mergeTemplates,
  type NamedChanges,
  type PrivacyChange,
  privacyChanges,
  type RemovedEntries,
} from '#core/settings/import-settings';
export {
  readSettingsFile,
  readWrittenSettings,
  type SettingsFile,
  type SettingsFileFault,
  type SharedLists,
  sharedLists,
} from '#core/settings/settings-file';
