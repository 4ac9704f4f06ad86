import { defineStore } from 'pinia';
import { ref } from 'vue';

import { fail, type Result } from '#core/result';
import type { ImportFault } from '#messaging/settings/protocol';
import { useConnections } from '#stores/connections/connections';
import { askPort, usePort } from '#stores/ports';

/** In bytes. */
const longestFile = 262_144;

/** A settings file carries connections to the rest of the team, never a key. */
export const useSettingsFile = defineStore('settings-file', () => {
  const ask = usePort(askPort);
  const connections = useConnections();
  const imported = ref<Result<{ added: number; changed: number }, ImportFault>>();

  /** The file's text. */
  async function exportText(): Promise<string> {
    return `${JSON.stringify(await ask('settings.export', {}), undefined, 2)}\n`;
  }

  /** @param file larger than 256 KiB it is not read at all */
  async function importFile(file: Blob): Promise<void> {
    imported.value =
      file.size > longestFile
        ? fail({ kind: 'unreadable', path: '' })
        : await ask('settings.import', { file: parsed(await file.text()) });
    await connections.load();
  }

  return { imported, exportText, importFile };
});

/** Text that is no JSON goes on as it is: it is no settings file either, and the worker says so. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
