import { defineStore } from 'pinia';
import { ref } from 'vue';

import { fail, type Result } from '#core/result';
import type { ImportFault } from '#messaging/settings/protocol';
import { useConnections } from '#stores/connections/connections';
import { askPort, usePort } from '#stores/ports';

const maxFileBytes = 262_144;

/** Exports the connections to a file for the team, and imports one. The file never holds a key. */
export const useSettingsFile = defineStore('settings-file', () => {
  const ask = usePort(askPort);
  const connections = useConnections();
  const imported = ref<Result<{ added: number; changed: number }, ImportFault>>();

  /** Returns the text of the settings file. */
  async function exportText(): Promise<string> {
    return `${JSON.stringify(await ask('settings.export', {}), undefined, 2)}\n`;
  }

  /** @param file rejected unread when it is larger than 256 KiB */
  async function importFile(file: Blob): Promise<void> {
    imported.value =
      file.size > maxFileBytes
        ? fail({ kind: 'unreadable', path: '' })
        : await ask('settings.import', { file: parseJson(await file.text()) });
    await connections.load();
  }

  return { imported, exportText, importFile };
});

/** Parses JSON. Other text is returned as it is, for the worker to reject. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
