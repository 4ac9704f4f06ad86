import type { InjectionKey } from 'vue';

import type { Command } from '#core/commands/commands';
import type { DroppedFiles } from '#stores/ui/dropped-files';

/** Lists the destinations of the command bar, and opens them. */
export interface Commands {
  /** The texts of all destinations, in the language of this page. */
  readonly t: (name: string, values?: Readonly<Record<string, unknown>>, count?: number) => string;
  readonly list: () => Promise<readonly Command[]>;
  /** The patterns of the connections' codes, for `locateCodes`. */
  readonly patterns: () => Promise<readonly string[]>;
  readonly codeIdOf: (code: string) => Promise<string>;
  /** Shows a page of the extension: in this tab, or in a new one if this view is not a tab. */
  readonly openPage: (href: string) => Promise<void>;
  /** Checks a text with codes in a new tab. */
  readonly check: (text: string) => Promise<void>;
  /** Opens the verifier on a license or on files. */
  readonly inspect: (what: string | DroppedFiles) => Promise<void>;
}

/** Opens the list, which is loaded on first use. */
export const commandsPort: InjectionKey<() => Promise<Commands>> = Symbol('commands');
