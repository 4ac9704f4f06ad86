import * as v from 'valibot';

import type { Result } from '#core/result';
import type { JoinedTeam, TeamFault, TeamReport } from '#core/team/index';
import { boundedText, deskPage, noBody, optionsPage, type Rules } from '#messaging/topic';
import { type ImportedLists, type ImportFault, settingsFile } from '#messaging/topics/settings';

const names = v.pipe(v.array(boundedText(2048)), v.readonly());
const hexKey = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u));
const entries = v.strictObject({
  connections: names,
  authorities: names,
  sites: names,
  keys: names,
  templates: names,
});

const joinRequest = v.strictObject({
  /** The relay's origin. */
  relay: v.pipe(v.string(), v.regex(/^https?:\/\/[^/?#]+$/u)),
  name: boundedText(200),
  /** The signer's public key, whose fingerprint the agent confirmed. */
  settingsKey: v.exactOptional(hexKey),
  invite: v.exactOptional(v.pipe(v.string(), v.regex(/^cfi1_\w{1,200}$/u))),
});

const teamChange = v.strictObject({
  file: settingsFile,
  settingsKey: hexKey,
  /** Public keys and templates that the page adds. */
  adds: v.strictObject({ keys: names, templates: names }),
  /** Entries that the team added earlier and no longer has. */
  removes: entries,
});

const teamFinish = v.strictObject({ version: v.number(), settingsKey: hexKey, removes: entries });

const month = v.strictObject({ month: v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/u)) });

export const teamRules = {
  // The verifier applies the team's revoked keys, and the desk offers the team's report.
  'team.state': { from: [...optionsPage, ...deskPage, 'verifier'], body: noBody },
  'team.join': { from: optionsPage, body: joinRequest },
  'team.cancel': { from: optionsPage, body: noBody },
  'team.settings': { from: [...optionsPage, 'verifier'], body: noBody },
  'team.report': { from: deskPage, body: month },
  'team.apply': { from: optionsPage, body: teamChange },
  'team.finish': { from: optionsPage, body: teamFinish },
  'team.leave': { from: optionsPage, body: noBody },
} satisfies Rules;

/**
 * The worker's replies to the topics for joining a team's relay, for its settings, and for leaving it. No reply
 * contains the token.
 */
export interface TeamReplies {
  'team.state': TeamState;
  /** Opens the relay's join page in a tab: for a team to join, or to sign in again. */
  'team.join': Result<null, TeamFault>;
  /** Cancels a sign-in that is in progress or has failed, and changes nothing else. */
  'team.cancel': null;
  /** Fetches the team's signed settings, unparsed; null if there are none. */
  'team.settings': Result<unknown, TeamFault>;
  /** Fetches the report of the team's checks in a month; the relay's audit records who read it. */
  'team.report': Result<TeamReport, TeamFault>;
  /** Imports verified settings and records what they added; `team.finish` records their version. */
  'team.apply': Result<ImportedLists, ImportFault | TeamFault>;
  /** Records that settings are in use, and forgets what they removed. Send it after the page has stored its parts. */
  'team.finish': Result<null, TeamFault>;
  /**
   * Removes what the team added, except public keys and templates, revokes the token, and cancels a sign-in in
   * progress.
   */
  'team.leave': TeamLeft;
}

export interface TeamState {
  readonly joined: JoinedTeam | null;
  /** Whether a token is stored. */
  readonly signedIn: boolean;
  /** A sign-in in progress and, once it is open, the tab with the relay's page; or why it failed. */
  readonly signIn: {
    readonly relay: string;
    readonly tabId?: number | undefined;
    readonly fault?: TeamFault;
  } | null;
}

export interface TeamLeft {
  /** Whether the relay revoked the token. */
  readonly revoked: boolean;
}
