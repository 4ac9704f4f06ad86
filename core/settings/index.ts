export {
  forSharedSwitches,
  maxSettingsLength,
  readSettingsFile,
  readWrittenSettings,
  type SharedConnection,
  type SharedPrivacy,
  type SharedSwitch,
  type SettingsFile,
  type SettingsFileFault,
  type SharedLists,
  sharedLists,
} from '#core/settings/settings-file';
