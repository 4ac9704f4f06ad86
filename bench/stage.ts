import { join } from 'node:path';

import type { ConnectionEntry } from '#scripts/agent';
import { type Extension, extensionId } from '#scripts/extension';
import { root } from '#scripts/processes';

/** What every measurement may use: one browser with the production build and the bare extension, and the sandbox. */
export interface Stage {
  readonly extension: Extension;
  /** Set up in the extension, and allowed to ask without pacing. */
  readonly connection: ConnectionEntry;
  /** Genuine codes at that connection, one for each question: a kept reply would measure nothing. */
  readonly codes: readonly string[];
}

export const bareBuild = join(root, 'bench/bare');

export const bareId = extensionId(bareBuild);
