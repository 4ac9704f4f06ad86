import type { Result } from '#core/result';
import type { NamedChanges } from '#core/settings/merge-list';
import type { SettingsFileFault, SharedLists } from '#core/settings/settings-file';
import type { StorageFull } from '#core/storage-full';
import type { NoBody, Topic } from '#messaging/topic';

/** Lists the topics about the lists of the settings file, which the worker stores, and the end of everything stored. */
export interface SettingsProtocol {
  'settings.export': Topic<NoBody, SharedLists>;
  /** Tells what an import would change, and changes nothing. */
  'settings.preview': Topic<{ file: unknown }, Result<ListChanges, SettingsFileFault>>;
  /** Imports list by list, each whole or not at all. */
  'settings.import': Topic<{ file: unknown }, Result<ImportedLists, ImportFault>>;
  /** Erases all that the extension has stored, and gives every permission back. */
  'settings.erase': Topic<NoBody, null>;
}

/** Tells what an import adds and changes in each list. */
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
  /** The lists for which the disk had no room any more. */
  readonly notStored: readonly ('authorities' | 'sites')[];
}

/** Tells why nothing was imported. */
export type ImportFault = SettingsFileFault | StorageFull;
