import * as v from 'valibot';

import type { Result } from '#core/result';
import { maxSettingsLength, type SettingsFileFault, type SharedLists } from '#core/settings/index';
import type { StorageFull } from '#core/storage/index';
import { optionsPage, jsonLength, noBody, type Rules } from '#messaging/topic';
import type { NamedChanges } from '#core/settings-import/index';

/** Matches any value up to the size limit of a settings file. */
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

/** The worker's replies to the topics about the settings file and about erasing everything. */
export interface SettingsReplies {
  'settings.export': SharedLists;
  /** Returns what an import would change, without changing anything. */
  'settings.preview': Result<ListChanges, SettingsFileFault>;
  /** Imports the lists, all or none of them, then templates and privacy. The agent pins public keys. */
  'settings.import': Result<ImportedLists, ImportFault>;
  /** Erases everything that the extension has stored, and gives up every permission. */
  'settings.erase': null;
}

export interface ListChanges {
  readonly connections: NamedChanges;
  readonly authorities: NamedChanges;
  readonly sites: NamedChanges;
  /** How many connections keep sending their key in a header, although the file says `parameter`. */
  readonly headersKept: number;
  /** How many authorities stay live or test, although the file says otherwise. */
  readonly kindsKept: number;
}

export interface ImportedLists extends ListChanges {
  /** The parts that were not stored because the disk is full or there are too many templates. */
  readonly notStored: readonly UnstoredPart[];
}

/** A part of the file that could not be stored. */
export type UnstoredPart = 'templates' | 'privacy';

export type ImportFault = SettingsFileFault | StorageFull;
