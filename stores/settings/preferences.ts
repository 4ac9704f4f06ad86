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
  /** The item that tickets are about just now, where the agent said so. */
  readonly expectedItem?: ExpectedItem;
}

export interface ExpectedItem {
  readonly connectionId: string;
  readonly itemId: number;
  readonly name: string;
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

  const ready = keeper.read().then((cached) => {
    current.value = readPreferences(cached);
  });
  keeper.watch((written) => {
    current.value = readPreferences(written);
  });

  async function change(changes: Partial<Preferences>): Promise<void> {
    await ready;
    current.value = { ...current.value, ...changes };
    await keeper.write(current.value);
  }

  /** @param item undefined: any item will do. */
  async function expect(item: ExpectedItem | undefined): Promise<void> {
    await ready;
    const { expectedItem: before, ...others } = current.value;
    if (before === undefined && item === undefined) return;
    current.value = item === undefined ? others : { ...others, expectedItem: item };
    await keeper.write(current.value);
  }

  return { current, ready, change, expect };
});

/** Unknown data into preferences; what cannot be read is as if never touched. */
export function readPreferences(cached: unknown): Preferences {
  const record: Record<string, unknown> =
    typeof cached === 'object' && cached !== null ? { ...cached } : {};
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
    ...readExpected(record['expectedItem']),
  };
}

function readExpected(cached: unknown): Pick<Preferences, 'expectedItem'> {
  const record: Record<string, unknown> =
    typeof cached === 'object' && cached !== null ? { ...cached } : {};
  const { connectionId, itemId, name } = record;
  return typeof connectionId === 'string' && typeof itemId === 'number' && typeof name === 'string'
    ? { expectedItem: { connectionId, itemId, name } }
    : {};
}
