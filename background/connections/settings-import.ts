import type { SecretStore } from '#adapters/secrets/index';
import {
  readSettingsFile,
  type SettingsFile,
  type SettingsFileFault,
  type SharedLists,
  sharedLists,
} from '#core/settings/index';
import { isLive, type StorageFull } from '#core/storage/index';
import { bindingOf, type SellerFeature } from '#background/seller/index';
import type { AdministrationContext } from '#background/dependencies';
import type {
  AdministrationStorage,
  SessionCache,
  WorkerStorage,
} from '#adapters/storage/worker/index';
import type { RunExclusive } from '#background/serial-queue';
import { authorityBounds } from '#core/authority/index';
import { connectionBounds } from '#core/connections/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import type { Granted, Refusal } from '#messaging/index';
import {
  mergeAuthorities,
  mergeConnections,
  type MergedConnections,
  mergeSites,
  mergeTemplates,
} from '#core/settings-import/index';
import { limitHistory, maxSites } from '#core/preferences/index';

type ImportFault = Refusal<'settings.import'>;
type ImportedLists = Granted<'settings.import'>;
type ListChanges = Granted<'settings.preview'>;

type PreferenceNeeds = Pick<
  AdministrationContext,
  'forgetKeptAnswers' | 'history' | 'storedSettings' | 'now'
>;

interface TransferNeeds extends PreferenceNeeds {
  readonly store: WorkerStorage['connectionStore'];
  readonly authorities: AdministrationStorage['authorities'];
  readonly sites: WorkerStorage['sites'];
  readonly changeLists: AdministrationStorage['changeLists'];
  readonly secrets: Pick<SecretStore, 'has'>;
  readonly applyRules: SellerFeature['applyRules'];
  readonly sessionCache: SessionCache;
  readonly runExclusive: RunExclusive;
  /** Starts and ends ticket scripts to match the stored sites. */
  readonly sitesChanged: () => Promise<void>;
}

/**
 * Exports and imports settings files, which contain what the agents of a team share. API keys are entered by hand
 * afterwards.
 */
export interface SettingsTransfer {
  export(): Promise<SharedLists>;
  preview(file: unknown): Promise<Result<ListChanges, SettingsFileFault>>;
  /**
   * Imports the lists, all or none of them, then templates and privacy. If there is no room for the lists, nothing is
   * imported.
   * @param relay the origin of the team's relay, if the team signed the settings
   */
  import(file: unknown, relay?: string): Promise<Result<ImportedLists, ImportFault>>;
}

const createId = (): string => crypto.randomUUID();

export function createSettingsTransfer(dependencies: TransferNeeds): SettingsTransfer {
  const { store, authorities, sites, secrets, sessionCache } = dependencies;
  const { applyRules, changeLists, runExclusive, sitesChanged } = dependencies;

  async function connectionsWithKey(): Promise<(connectionId: string) => boolean> {
    const found = (await store.read()).map(async (connection) =>
      (await secrets.has(bindingOf(connection))) ? [connection.id] : [],
    );
    const withKey = new Set((await Promise.all(found)).flat());
    return (id) => withKey.has(id);
  }

  /** Plans the import into the present lists. */
  async function plan(file: SettingsFile): Promise<Result<ListChanges, SettingsFileFault>> {
    const hasKey = await connectionsWithKey();
    const mergedConnections = mergeConnections(await store.read(), file.connections, {
      hasKey,
      createId,
    });
    const mergedAuthorities = mergeAuthorities(
      await authorities.read(),
      file.authorities,
      createId,
    );
    const mergedSites = mergeSites(await sites.read(), file.sites, mergedConnections.storedIds);
    const tooLong =
      (mergedConnections.list.length > connectionBounds.connections && 'connections') ||
      (mergedAuthorities.list.length > authorityBounds.authorities && 'authorities') ||
      (mergedSites.list.length > maxSites && 'sites');
    if (tooLong !== false) return fail({ kind: 'unreadable', path: tooLong });
    return succeed({
      connections: mergedConnections.changes,
      authorities: mergedAuthorities.changes,
      sites: mergedSites.changes,
      headersKept: mergedConnections.headersKept,
      kindsKept: mergedAuthorities.kindsKept,
    });
  }

  async function importLists(
    file: SettingsFile,
    relay: string | undefined,
  ): Promise<Result<void, StorageFull>> {
    const hasKey = await connectionsWithKey();
    let merged: MergedConnections | undefined;
    const written = await runExclusive('sites', () =>
      changeLists([
        // A running check may prove a connection until the very write, and two states must not share a revision.
        store.edit((present) => {
          merged = mergeConnections(present, file.connections, { hasKey, createId, relay });
          return merged.list;
        }),
        authorities.edit((present) => mergeAuthorities(present, file.authorities, createId).list),
        sites.edit(
          (present) =>
            mergeSites(present, file.sites, merged?.storedIds ?? new Map<string, string>()).list,
        ),
      ]),
    );
    if (!written.ok) return written;
    for (const id of merged?.changedIds ?? []) await sessionCache.forget(id);
    await applyRules();
    return written;
  }

  return {
    async export() {
      return sharedLists({
        connections: (await store.read()).filter(isLive),
        authorities: (await authorities.read()).filter(isLive),
        sites: await sites.read(),
      });
    },

    async preview(data) {
      const file = readSettingsFile(data);
      return file.ok ? plan(file.value) : file;
    },

    import: (data, relay) =>
      runExclusive('connections', async () => {
        const file = readSettingsFile(data);
        if (!file.ok) return file;
        const planned = await plan(file.value);
        if (!planned.ok) return planned;
        const stored = await importLists(file.value, relay);
        if (!stored.ok) return stored;
        if (file.value.sites.length > 0) await sitesChanged();
        return succeed({
          ...planned.value,
          notStored: [
            ...((await importTemplates(dependencies, file.value)) ? [] : ['templates' as const]),
            ...((await applyPreferences(dependencies, file.value)) ? [] : ['privacy' as const]),
          ],
        });
      }),
  };
}

/** Imports a file's templates. Returns false if there are too many, or no room. */
async function importTemplates(
  { storedSettings }: Pick<AdministrationContext, 'storedSettings'>,
  { templates }: Pick<SettingsFile, 'templates'>,
): Promise<boolean> {
  if (templates === undefined) return true;
  let tooMany = false;
  const written = await storedSettings['reply-templates']
    .change((present = { format: 'plain' }) => {
      const merged = mergeTemplates(present, templates);
      ({ tooMany } = merged);
      return merged.settings;
    })
    .catch(() => fail({ kind: 'storage-full' }));
  return written.ok && !tooMany;
}

/**
 * Stores the privacy settings and language of a file or a policy, and removes history entries that are no longer
 * allowed. Returns whether the settings were stored.
 */
export async function applyPreferences(
  { storedSettings, history, forgetKeptAnswers, now }: PreferenceNeeds,
  { privacy, language }: Pick<SettingsFile, 'privacy'> & { readonly language?: string },
): Promise<boolean> {
  const { history: kept, ...switches } = privacy ?? {};
  const changes = omitUndefined({ ...switches, language });
  const written =
    Object.keys(changes).length === 0 ||
    (await storedSettings.preferences.change((present) => ({ ...present, ...changes }))).ok;
  if (kept === undefined) return written;
  const changed = await history.changeSettings(kept);
  if (!changed.ok) return false;
  await limitHistory(history, changed.value.after, now());
  if (kept.days === 0) await forgetKeptAnswers();
  return written;
}
