import * as v from 'valibot';

import type { Result } from '#core/result';
import { maxSettingsLength, type SettingsFileFault, type SharedLists } from '#core/settings/index';
import type { StorageFull } from '#core/storage/index';
import { optionsPage, jsonLength, noBody, type Rules } from '#messaging/topic';
import type { NamedChanges } from '#core/settings-import/index';

/** Matches anything that is no longer than a settings file may be. */
export const settingsFile = v.pipe(
  v.unknown(),
  v.check((file) => jsonLength(file) <= maxSettingsLength),
);

const fileBody = v.strictObject({ file: settingsFile });

export const settingsRules = {
  'settings.export': { from: optionsPage, body: noBody },
  'settings.preview': { from: optionsPage, body: fileBody },
  'settings.import': { from: optionsPage, body: fileBody },
  'settings.erase': { from: optionsPage, body: noBody },
} satisfies Rules;

/** The worker's replies to the topics about the settings file, and the end of everything stored. */
export interface SettingsReplies {
  'settings.export': SharedLists;
  /** Tells what an import would change, and changes nothing. */
  'settings.preview': Result<ListChanges, SettingsFileFault>;
  /** Imports the lists, all of them or none; then templates and privacy. Public keys are pinned by the agent. */
  'settings.import': Result<ImportedLists, ImportFault>;
  /** Erases all that the extension has stored, and gives every permission back. */
  'settings.erase': null;
}

export interface ListChanges {
  readonly connections: NamedChanges;
  readonly authorities: NamedChanges;
  readonly sites: NamedChanges;
  /** Connections that go on sending their key in a header, though the file says `parameter`. */
  readonly headersKept: number;
  /** Authorities that stay live or test, though the file says otherwise. */
  readonly kindsKept: number;
}

export interface ImportedLists extends ListChanges {
  /** What the disk had no room for, and templates over the limit. */
  readonly notStored: readonly UnstoredPart[];
}

/** A part of the file that could not be stored. */
export type UnstoredPart = 'templates' | 'privacy';

export type ImportFault = SettingsFileFault | StorageFull;
