export {
  maxSettingsLength,
  readSettingsFile,
  readWrittenSettings,
  type SharedConnection,
  type SettingsFile,
  type SettingsFileFault,
  type SharedLists,
  sharedLists,
} from '#core/settings/settings-file';
