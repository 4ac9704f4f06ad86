import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import { exportRing, readKeyFile } from '#core/key-ring/index';
import type { PinnedKey } from '#core/keys/index';
import {
  forSharedSwitches,
  maxSettingsLength,
  readSettingsFile,
  type SettingsFile,
  type SharedSwitches,
} from '#core/settings/index';
import { fail, type Result, succeed } from '#core/result';
import { parseJson } from '#core/encoding/index';
import type { Granted, Refusal } from '#messaging/index';
import { useAuthorities } from '#stores/authority/authorities';
import { useConnections } from '#stores/connections/connections';
import { askPort, usePort } from '#stores/ports';
import {
  type MergedTemplates,
  mergeTemplates,
  type PrivacyChange,
  privacyChanges,
} from '#core/settings-import/index';
import { sharedReplySettings } from '#core/reply-templates/index';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';
import { historySettingsPort } from '#stores/settings/ports';
import { usePreferences } from '#stores/settings/preferences';
import { useSites } from '#stores/ticket/sites';
import { verifierPorts } from '#stores/verifier/index';

type ImportFault = Refusal<'settings.import'>;
type ListChanges = Granted<'settings.preview'>;
type UnstoredPart = Granted<'settings.import'>['notStored'][number];

export interface ImportPreview {
  readonly file: SettingsFile;
  readonly lists: ListChanges;
  /** Public keys that are not in the ring, or are revoked only in the file. */
  readonly keys: readonly PinnedKey[];
  readonly templates: MergedTemplates | undefined;
  readonly privacy: readonly PrivacyChange[];
}

/** Exports the settings to a file for the team, and imports one after a preview. The file never contains a secret. */
export const useSettingsFile = defineStore('settings-file', () => {
  const ask = usePort(askPort);
  const ring = usePort(verifierPorts.keyRing);
  const historySettings = usePort(historySettingsPort);
  const connections = useConnections();
  const authorities = useAuthorities();
  const sites = useSites();
  const preferences = usePreferences();
  const replies = useReplyTemplateSettings();

  const preview = shallowRef<ImportPreview>();
  const fault = shallowRef<ImportFault>();
  const imported = shallowRef<{
    readonly preview: ImportPreview;
    readonly notStored: readonly UnstoredPart[];
  }>();

  async function readPrivacy(): Promise<SharedSwitches> {
    await preferences.ready;
    const history = await historySettings.settings();
    return { ...forSharedSwitches((name) => preferences.current[name]), history };
  }

  async function exportText(): Promise<string> {
    await replies.ready;
    const file: SettingsFile = {
      format: 'counterfoil-settings',
      version: 2,
      ...(await ask('settings.export', {})),
      keys: exportRing(await ring.read()).keys,
      templates: sharedReplySettings(replies.settings),
      privacy: await readPrivacy(),
    };
    return `${JSON.stringify(file, undefined, 2)}\n`;
  }

  function close(): void {
    preview.value = fault.value = imported.value = undefined;
  }

  /**
   * Reads a file and shows what it would change.
   * @param file refused if it is larger than 2 MiB or cannot be read
   */
  async function open(file: Blob): Promise<void> {
    close();
    const data =
      file.size > maxSettingsLength ? undefined : parseJson(await file.text().catch(() => ''));
    const read = await previewOf(data);
    if (read.ok) preview.value = read.value;
    else fault.value = read.fault;
  }

  async function previewOf(data: unknown): Promise<Result<ImportPreview, ImportFault>> {
    const read = readSettingsFile(data);
    if (!read.ok) return read;
    const lists = await ask('settings.preview', { file: data });
    if (!lists.ok) return lists;
    const { keys, templates, privacy } = read.value;
    await replies.ready;
    const mergedTemplates =
      templates === undefined ? undefined : mergeTemplates(replies.settings, templates);
    if (mergedTemplates?.tooMany === true) return fail({ kind: 'unreadable', path: 'templates' });
    return succeed({
      file: read.value,
      lists: lists.value,
      templates: mergedTemplates,
      keys: unpinned(await ring.read(), keys),
      privacy: privacy === undefined ? [] : privacyChanges(await readPrivacy(), privacy),
    });
  }

  /** Imports the previewed file. The agent pins its keys one by one. */
  async function apply(): Promise<void> {
    const applied = preview.value;
    if (applied === undefined) return;
    const result = await ask('settings.import', { file: applied.file });
    if (!result.ok) {
      close();
      fault.value = result.fault;
      return;
    }
    await reload();
    close();
    imported.value = { preview: applied, notStored: result.value.notStored };
  }

  async function reload(): Promise<void> {
    await Promise.all([connections.load(), authorities.load(), sites.load()]);
  }

  return { preview, fault, imported, exportText, open, previewOf, apply, reload, close };
});

/** Returns a file's keys that are not in the ring, or are revoked only in the file. */
function unpinned(ring: readonly PinnedKey[], keys: readonly unknown[]): PinnedKey[] {
  const read = readKeyFile({ format: 'counterfoil-keys', version: 1, keys }) ?? [];
  return read.filter((key) => {
    const present = ring.find(({ raw }) => raw === key.raw);
    return present === undefined || (key.revoked && !present.revoked);
  });
}
