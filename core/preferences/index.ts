export {
  defaultHistorySettings,
  type HistorySettings,
  historySettingsSchema,
  limitHistory,
  maxHistoryDays,
  readHistorySettings,
} from '#core/preferences/history-settings';
export { popupPageOf, popupThemes } from '#core/preferences/popup-page';
export {
  defaultPreferences,
  mayBePreference,
  type Preferences,
  readPreferences,
  type Switch,
  themes,
} from '#core/preferences/preferences';
export {
  expectedItemSchema,
  maxSites,
  sharedSiteSchema,
  type Site,
  siteOriginOf,
  siteOriginSchema,
  siteSchema,
  withoutExpectedItem,
} from '#core/preferences/sites';
