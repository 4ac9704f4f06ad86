export {
  forSharedSwitches,
  maxSettingsLength,
  readSettingsFile,
  readWrittenSettings,
  type SharedConnection,
  type SharedSwitches,
  type SharedSwitch,
  type SettingsFile,
  type SettingsFileFault,
  type SharedLists,
  sharedLists,
} from '#core/settings/settings-file';
