import { isRecord } from '#core/record';
import type { ExpectedItem } from '#core/items/index';

export interface Preferences {
  readonly theme: Theme;
  /** The language of the pages, a BCP 47 tag; empty: the browser's. */
  readonly language: string;
  /** Load pictures from the sellers' hosts. */
  readonly pictures: boolean;
  /** Mask codes in what is copied. */
  readonly maskCodes: boolean;
  /** Check a single code at once when it is pasted, or selected on the page that the popup was opened over. */
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

export const defaultPreferences: Preferences = {
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

type NamesOf<Value> = {
  [Name in keyof Required<Preferences>]: Required<Preferences>[Name] extends Value ? Name : never;
}[keyof Preferences];

/** Reads unknown data as preferences. A field that cannot be read gets its default. */
export function readPreferences(stored: unknown): Preferences {
  const record = isRecord(stored) ? stored : {};
  const flag = (name: NamesOf<boolean>): boolean => {
    const value = record[name];
    return typeof value === 'boolean' ? value : defaultPreferences[name];
  };
  const text = (name: NamesOf<string>): string => {
    const value = record[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    theme: themes.find((theme) => theme === record['theme']) ?? defaultPreferences.theme,
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

/**
 * Tells whether a stored member has the type of the preference with its name. A member that this version does not know
 * may be anything.
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
