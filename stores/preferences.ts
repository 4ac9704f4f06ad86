import { defineStore } from 'pinia';
import { ref } from 'vue';

import { preferencePort, usePort } from '#stores/ports';

export interface Preferences {
  readonly theme: Theme;
  /** Show pictures that lie on the sellers' hosts. */
  readonly pictures: boolean;
  /** Mask codes in what is copied. */
  readonly maskCodes: boolean;
  /** Ask about a code at once when it is selected on the page that the popup was opened on. */
  readonly selectionAtOnce: boolean;
  /** The connection last chosen in the popup: its id, or `all`. */
  readonly connection: string;
}

export type Theme = (typeof themes)[number];
export const themes = ['system', 'light', 'dark'] as const;

const untouched: Preferences = {
  theme: 'system',
  pictures: true,
  maskCodes: true,
  selectionAtOnce: true,
  connection: '',
};

/** Preferences of looks. Until `ready`, no picture is asked for. */
export const usePreferences = defineStore('preferences', () => {
  const keeper = usePort(preferencePort);
  const current = ref<Preferences>({ ...untouched, pictures: false });

  const ready = keeper.read().then((kept) => {
    current.value = readPreferences(kept);
  });
  keeper.watch((written) => {
    current.value = readPreferences(written);
  });

  async function change(changes: Partial<Preferences>): Promise<void> {
    await ready;
    current.value = { ...current.value, ...changes };
    await keeper.write(current.value);
  }

  return { current, ready, change };
});

/** Unknown data into preferences; what cannot be read is as if never touched. */
export function readPreferences(kept: unknown): Preferences {
  const record: Record<string, unknown> =
    typeof kept === 'object' && kept !== null ? { ...kept } : {};
  const flag = (name: 'pictures' | 'maskCodes' | 'selectionAtOnce'): boolean => {
    const value = record[name];
    return typeof value === 'boolean' ? value : untouched[name];
  };
  const connection = record['connection'];
  return {
    theme: themes.find((theme) => theme === record['theme']) ?? untouched.theme,
    pictures: flag('pictures'),
    maskCodes: flag('maskCodes'),
    selectionAtOnce: flag('selectionAtOnce'),
    connection: typeof connection === 'string' ? connection : untouched.connection,
  };
}
