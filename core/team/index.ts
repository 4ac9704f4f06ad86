export {
  parseRelayAddress,
  readRelayInfo,
  type RelayAddress,
  type RelayInfo,
} from '#core/team/relay';
export { readRelayFailure, relayOutage } from '#core/team/relay-failure';
export { findRemoved, type RemovedEntries } from '#core/team/removed-entries';
export {
  type JoinedTeam,
  joinedTeamSchema,
  mayPass,
  needsKeys,
  type TeamFault,
} from '#core/team/team';
export { readTeamReport, type TeamReport, teamVerdicts } from '#core/team/team-report';
export {
  parseTeamSettings,
  readSignedSettings,
  type SignedTeamSettings,
  type TeamSettings,
  type TeamSettingsFault,
  teamSettingsInput,
  verifyTeamSettings,
  withoutPrivacy,
} from '#core/team/team-settings';
