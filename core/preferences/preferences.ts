import { isRecord } from '#core/record';
import type { ExpectedItem } from '#core/items/index';

export const themes = ['system', 'light', 'dark'] as const;

/** The preferences with their defaults. */
export const defaultPreferences = {
  theme: 'system' as (typeof themes)[number],
  /** The language of the pages, a BCP 47 tag; empty means the browser's. */
  language: '',
  /** Load pictures from the sellers' hosts. */
  pictures: true,
  /** Mask codes in what is copied. */
  maskCodes: true,
  /** Check a single code at once when it is pasted, or selected on the page that the popup was opened over. */
  selectionAtOnce: true,
  /** Run keyboard shortcuts in the popup, the panel and the desk. */
  shortcuts: true,
  /** The name that replaces `{agent}` in a template; empty means none. */
  agent: '',
  /** The connection last chosen in the popup: its id, or `all`. */
  connection: '',
  /** The choice about the first steps, read by `core/first-steps/first-steps.ts`. */
  firstSteps: '',
};

export interface Preferences extends Readonly<typeof defaultPreferences> {
  /** The item that the agent expects codes to be for. */
  readonly expectedItem?: ExpectedItem;
}

export type Switch = {
  [Name in keyof typeof defaultPreferences]: (typeof defaultPreferences)[Name] extends boolean
    ? Name
    : never;
}[keyof typeof defaultPreferences];

/** Reads preferences from unknown data. An unreadable field gets its default. */
export function readPreferences(stored: unknown): Preferences {
  const record = isRecord(stored) ? stored : {};
  const read = Object.entries(defaultPreferences).map(([name, byDefault]: [string, unknown]) => [
    name,
    typeof record[name] === typeof byDefault ? record[name] : byDefault,
  ]);
  return {
    ...(Object.fromEntries(read) as Preferences),
    theme: themes.find((theme) => theme === record['theme']) ?? defaultPreferences.theme,
    ...readExpected(record['expectedItem']),
  };
}

/**
 * Tells whether a stored member has the type of the preference with its name. A member unknown to this version may have
 * any type.
 */
export function mayBePreference(name: string, value: unknown): boolean {
  const type = name === 'expectedItem' ? 'object' : typeof Reflect.get(defaultPreferences, name);
  return type === 'undefined' || value === undefined || typeof value === type;
}

function readExpected(stored: unknown): Pick<Preferences, 'expectedItem'> {
  const { connectionId, itemId, name } = isRecord(stored) ? stored : {};
  const isId = typeof itemId === 'number' || typeof itemId === 'string';
  return typeof connectionId === 'string' && isId && typeof name === 'string'
    ? { expectedItem: { connectionId, itemId, name } }
    : {};
}
