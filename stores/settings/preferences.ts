import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { ExpectedItem } from '#core/check/index';
import { usePort } from '#stores/ports';
import { preferencePort } from '#stores/settings/ports';

export interface Preferences {
  readonly theme: Theme;
  /** The language of the pages, a BCP 47 tag; empty: the browser's. */
  readonly language: string;
  /** Load pictures from the sellers' hosts. */
  readonly pictures: boolean;
  /** Mask codes in what is copied. */
  readonly maskCodes: boolean;
  /** Check a single code at once when it is selected on the page that the popup was opened over. */
  readonly selectionAtOnce: boolean;
  /** Run keyboard shortcuts in the popup, the panel and the desk. */
  readonly shortcuts: boolean;
  /** The name that stands for `{agent}` in a template; empty: none. */
  readonly agent: string;
  /** The connection last chosen in the popup: its id, or `all`. */
  readonly connection: string;
  /** The choice about the first steps, read by `core/first-steps/first-steps.ts`. */
  readonly firstSteps: string;
  /** The item that the agent expects codes to be for. */
  readonly expectedItem?: ExpectedItem;
}

export type Theme = (typeof themes)[number];
export const themes = ['system', 'light', 'dark'] as const;

const defaults: Preferences = {
  theme: 'system',
  language: '',
  pictures: true,
  maskCodes: true,
  selectionAtOnce: true,
  shortcuts: true,
  agent: '',
  connection: '',
  firstSteps: '',
};

/** Holds what the agent prefers. Until `ready`, no picture is loaded. */
export const usePreferences = defineStore('preferences', () => {
  const store = usePort(preferencePort);
  const current = ref<Preferences>({ ...defaults, pictures: false });

  /** Whether a newer version of the program wrote the preferences, so that a change lasts on this page alone. */
  const newer = ref(false);

  const ready = store.read().then((stored) => {
    current.value = readPreferences(stored);
  });
  store.watch((written) => {
    current.value = readPreferences(written);
  });

  async function change(changes: Partial<Preferences>): Promise<void> {
    await ready;
    current.value = { ...current.value, ...changes };
    await save();
  }

  async function save(): Promise<void> {
    newer.value = !(await store.write(current.value)).ok;
  }

  /** @param item undefined: any item */
  async function expect(item: ExpectedItem | undefined): Promise<void> {
    await ready;
    const { expectedItem: before, ...others } = current.value;
    if (before === undefined && item === undefined) return;
    current.value = item === undefined ? others : { ...others, expectedItem: item };
    await save();
  }

  return { current, newer, ready, change, expect };
});

/** Reads unknown data as preferences. A field that cannot be read gets its default. */
export function readPreferences(stored: unknown): Preferences {
  const record: Record<string, unknown> =
    typeof stored === 'object' && stored !== null ? { ...stored } : {};
  const flag = (name: 'pictures' | 'maskCodes' | 'selectionAtOnce' | 'shortcuts'): boolean => {
    const value = record[name];
    return typeof value === 'boolean' ? value : defaults[name];
  };
  const text = (name: 'language' | 'agent' | 'connection' | 'firstSteps'): string => {
    const value = record[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    theme: themes.find((theme) => theme === record['theme']) ?? defaults.theme,
    language: text('language'),
    pictures: flag('pictures'),
    maskCodes: flag('maskCodes'),
    selectionAtOnce: flag('selectionAtOnce'),
    shortcuts: flag('shortcuts'),
    agent: text('agent'),
    connection: text('connection'),
    firstSteps: text('firstSteps'),
    ...readExpected(record['expectedItem']),
  };
}

function readExpected(stored: unknown): Pick<Preferences, 'expectedItem'> {
  const record: Record<string, unknown> =
    typeof stored === 'object' && stored !== null ? { ...stored } : {};
  const { connectionId, itemId, name } = record;
  const isId = typeof itemId === 'number' || typeof itemId === 'string';
  return typeof connectionId === 'string' && isId && typeof name === 'string'
    ? { expectedItem: { connectionId, itemId, name } }
    : {};
}
