export { diagnosticsText } from '#core/settings/diagnostics';
export { EntryIds } from '#core/settings/entries';
export {
  findRemoved,
  mergeLists,
  mergeTemplates,
  type NamedChanges,
  privacyChanges,
} from '#core/settings/import-settings';
export {
  readSettingsFile,
  readWrittenSettings,
  type SettingsFile,
  type SettingsFileFault,
  sharedLists,
} from '#core/settings/settings-file';
