import type { InjectionKey } from 'vue';

import type { Command } from '#core/commands/commands';
import type { DroppedFiles } from '#stores/ui/dropped-files';

/** Lists the places that a page can go to, and goes there. */
export interface Commands {
  /** The texts of every page that is named, in the language of this one. */
  readonly t: (name: string, values?: Readonly<Record<string, unknown>>, count?: number) => string;
  readonly list: () => Promise<readonly Command[]>;
  /** See `locateCodes`. */
  readonly patterns: () => Promise<readonly string[]>;
  readonly codeIdOf: (code: string) => Promise<string>;
  /** Shows a page of the extension: in this tab, or in one of its own where this view is no tab. */
  readonly openPage: (href: string) => Promise<void>;
  /** Checks a text with codes in a tab of its own. */
  readonly check: (text: string) => Promise<void>;
  /** Opens the verifier on a license or on files. */
  readonly inspect: (what: string | DroppedFiles) => Promise<void>;
}

/** Opens the list. Loaded when it is first asked for. */
export const commandsPort: InjectionKey<() => Promise<Commands>> = Symbol('commands');
