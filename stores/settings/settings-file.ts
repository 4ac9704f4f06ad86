import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import { exportRing, readKeyFile } from '#core/key-ring/ring';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import { type MergedTemplates, mergeTemplates } from '#core/reply-templates/merge-templates';
import { type PrivacyChange, privacyChanges } from '#core/settings/privacy-changes';
import {
  type PrivacySettings,
  readSettingsFile,
  type SettingsFile,
} from '#core/settings/settings-file';
import { fail, type Result, succeed } from '#core/result';
import { parseJson } from '#core/text/json';
import { dayMs } from '#core/time/units';
import type { ImportedLists, ImportFault, ListChanges } from '#messaging/topics/settings';
import { useAuthorities } from '#stores/authority/authorities';
import { useConnections } from '#stores/connections/connections';
import { askPort, clockPort, usePort } from '#stores/ports';
import { sharedReplySettings } from '#core/reply-templates/template';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';
import { historySettingsPort } from '#stores/settings/ports';
import { usePreferences } from '#stores/settings/preferences';
import { useSites } from '#stores/ticket/sites';
import { keyRingPort } from '#stores/verifier/ports';

const maxFileBytes = 2_097_152;

/** Tells what an import would change. */
export interface ImportPreview {
  readonly file: SettingsFile;
  readonly lists: ListChanges;
  /** Public keys that are not in the ring, or are revoked in the file alone. */
  readonly keys: readonly PinnedKey[];
  readonly templates: MergedTemplates | undefined;
  readonly privacy: readonly PrivacyChange[];
}

/** Names a part of the file that could not be stored. */
export type UnstoredPart = 'authorities' | 'sites' | 'templates' | 'privacy';

/** Exports the settings to a file for the team, and imports one after a preview. The file never holds a secret. */
export const useSettingsFile = defineStore('settings-file', () => {
  const ask = usePort(askPort);
  const ring = usePort(keyRingPort);
  const now = usePort(clockPort);
  const historySettings = usePort(historySettingsPort);
  const connections = useConnections();
  const authorities = useAuthorities();
  const sites = useSites();
  const preferences = usePreferences();
  const replies = useReplyTemplateSettings();

  const preview = shallowRef<ImportPreview>();
  const fault = shallowRef<ImportFault>();
  /** What became of the latest import. */
  const imported = shallowRef<{
    readonly preview: ImportPreview;
    readonly notStored: readonly UnstoredPart[];
  }>();

  async function readPrivacy(): Promise<PrivacySettings> {
    await preferences.ready;
    const { pictures, maskCodes, selectionAtOnce } = preferences.current;
    return { pictures, maskCodes, selectionAtOnce, history: await historySettings.settings() };
  }

  /** Returns the text of the settings file. */
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

  /** Reads a file and shows what it would change. @param file rejected when it is larger than 2 MiB, or cannot be read */
  async function open(file: Blob): Promise<void> {
    close();
    const data =
      file.size > maxFileBytes ? undefined : parseJson(await file.text().catch(() => ''));
    const read = await previewOf(data);
    if (read.ok) preview.value = read.value;
    else fault.value = read.fault;
  }

  /** Tells what importing a settings file would change. */
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

  /** Imports the file of the preview. Its keys are pinned by the agent, one by one. */
  async function apply(): Promise<void> {
    const applied = preview.value;
    if (applied === undefined) return;
    const result = await ask('settings.import', { file: applied.file });
    if (!result.ok) {
      close();
      fault.value = result.fault;
      return;
    }
    const notStored = await finish(applied, result.value);
    close();
    imported.value = { preview: applied, notStored };
  }

  /** Stores the parts of an import that the worker does not; returns what was not stored. */
  async function finish(applied: ImportPreview, lists: ImportedLists): Promise<UnstoredPart[]> {
    const notStored: UnstoredPart[] = [...lists.notStored];
    if (!(await applyTemplates(applied))) notStored.push('templates');
    if (!(await applyPrivacy(applied))) notStored.push('privacy');
    // What the organization has set counts more than a file.
    await ask('policy.state', { again: true });
    await Promise.all([connections.load(), authorities.load(), sites.load()]);
    return notStored;
  }

  async function applyTemplates({ file }: ImportPreview): Promise<boolean> {
    const { templates } = file;
    if (templates === undefined) return true;
    const outcome = { tooMany: false };
    await replies.change((present) => {
      const merged = mergeTemplates(present, templates);
      outcome.tooMany = merged.tooMany;
      return merged.settings;
    });
    return !outcome.tooMany && replies.unsaved === undefined;
  }

  async function applyPrivacy({ file, privacy }: ImportPreview): Promise<boolean> {
    if (file.privacy === undefined || privacy.length === 0) return true;
    const { history, ...switches } = file.privacy;
    await preferences.change(switches);
    const stored = (await historySettings.changeSettings(history)).ok;
    const { days } = history;
    if (stored && days === 0) await historySettings.erase();
    else if (stored) await historySettings.prune(now() - days * dayMs);
    return stored && !preferences.newer;
  }

  return { preview, fault, imported, exportText, open, previewOf, apply, finish, close };
});

/** Returns the keys of a file that the ring lacks, and those that are revoked in the file alone. */
function unpinned(ring: readonly PinnedKey[], keys: readonly unknown[]): PinnedKey[] {
  const read = readKeyFile({ format: 'counterfoil-keys', version: 1, keys }) ?? [];
  return read.filter((key) => {
    const present = ring.find(({ raw }) => raw === key.raw);
    return present === undefined || (key.revoked && !present.revoked);
  });
}
