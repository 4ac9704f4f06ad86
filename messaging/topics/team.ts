import type { Result } from '#core/result';
import type { JoinedTeam, TeamEntries, TeamFault } from '#core/team/team';
import type { ImportedLists, ImportFault } from '#messaging/topics/settings';
import type { NoBody, Topic } from '#messaging/topic';

/** Lists the topics for joining a team's relay, for its settings, and for leaving it. No reply holds the token. */
export interface TeamProtocol {
  'team.state': Topic<NoBody, TeamState>;
  /** Opens the relay's join page in a tab: for a team to join, or to sign in again. */
  'team.join': Topic<JoinRequest, Result<null, TeamFault>>;
  /** Ends a sign-in that is under way or failed, and changes nothing else. */
  'team.cancel': Topic<NoBody, null>;
  /** Fetches the team's signed settings, unread; null when there are none. */
  'team.settings': Topic<NoBody, Result<unknown, TeamFault>>;
  /** Imports verified settings and notes what they brought; `team.finish` notes their version. */
  'team.apply': Topic<TeamChange, Result<ImportedLists, ImportFault | TeamFault>>;
  /** Notes that settings are in use, and forgets what they removed. To be asked once the page has stored its parts. */
  'team.finish': Topic<TeamFinish, Result<null, TeamFault>>;
  /** Removes what the team brought, but public keys and templates, revokes the token, and ends a sign-in that is under way. */
  'team.leave': Topic<NoBody, TeamLeft>;
}

export interface TeamState {
  readonly joined: JoinedTeam | null;
  /** Whether a token is stored. */
  readonly signedIn: boolean;
  /** A sign-in that was begun, and why it failed. */
  readonly signIn: { readonly relay: string; readonly fault?: TeamFault } | null;
}

export interface JoinRequest {
  /** The relay's origin. */
  readonly relay: string;
  readonly name: string;
  /** The signer's public key, whose fingerprint the agent confirmed. */
  readonly settingsKey?: string;
  readonly invite?: string;
}

export interface TeamChange {
  /** The settings file of the team. */
  readonly file: unknown;
  readonly settingsKey: string;
  /** Public keys and templates that the page adds. */
  readonly adds: Pick<TeamEntries, 'keys' | 'templates'>;
  /** What the team brought before and does not any more. */
  readonly removes: TeamEntries;
}

export interface TeamFinish extends Pick<TeamChange, 'settingsKey' | 'removes'> {
  readonly version: number;
}

export interface TeamLeft {
  /** Whether the relay took the token back. */
  readonly revoked: boolean;
}
