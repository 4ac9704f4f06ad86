import { machineClocks, type Store } from '#relay/store/store';
import { openStore } from '#relay/store/open-store';
import type { AuditRow } from '#relay/store/records';
import { auditRows } from '#tests/relay/support/audit-rows';
import type { CountingUpstream } from '#tests/relay/support/counting-upstream';
import type { RelayFiles } from '#tests/relay/support/relay';

/** Holds what is measured on: a store, a seller that answers at once, and two agents. */
export interface Setting {
  readonly files: RelayFiles;
  readonly seller: CountingUpstream;
  readonly token: string;
  readonly other: string;
  /** Prints a figure with the store's name. */
  readonly say: (line: string) => void;
}

/** Measures one promise and prints its figures. */
export type Part = (setting: Setting) => Promise<void>;

/** Connects the seller anew, under limits of a part's own. */
export async function connect(
  { files, seller }: Setting,
  id: string,
  limit: string,
): Promise<void> {
  await files.connect(id, seller.origin, 'bench-key-0123456789', limit);
}

/** Sets a limit that holds no call back. */
export const unlimited = '--limit 100000 --window 1';

export async function withStore<Value>(
  files: RelayFiles,
  use: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await openStore(files.administered, machineClocks, 'administer');
  const value = await use(store);
  await store.close();
  return value;
}

export function auditOf(files: RelayFiles): Promise<readonly AuditRow[]> {
  return withStore(files, auditRows);
}
