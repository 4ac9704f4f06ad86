import { authorityBounds, type AuthorityState, type StoredAuthority } from '#core/authority/index';
import { type Result, fail, succeed } from '#core/result';
import { originPattern } from '#core/address/index';
import type { AdministrationStorage } from '#adapters/storage/worker/index';
import { isLive, type StorageFull } from '#core/storage/index';
import type { Permissions } from '#adapters/browser/permissions';
import type { Body, Refusal } from '#messaging/index';
import type { OriginPermissions } from '#background/connections/origin-permissions';
import { createSoftDelete, deletableIn } from '#background/soft-delete';
import type { RunExclusive } from '#background/serial-queue';

type AuthorityDraft = Body<'authorities.save'>;
type AuthoritySaveFault = Refusal<'authorities.save'>;

interface AuthoritiesNeeds {
  readonly store: AdministrationStorage['authorities'];
  readonly permissions: Permissions;
  readonly runExclusive: RunExclusive;
  readonly originPermissions: OriginPermissions;
  /** Asks for `finalise` to be called at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Authorities {
  list(): Promise<AuthorityState[]>;
  /** @param newId the id of an added authority; saving twice with the same id adds it once. */
  save(draft: AuthorityDraft, newId: string): Promise<Result<AuthorityState, AuthoritySaveFault>>;
  delete(id: string): Promise<Result<{ undoUntil: number }, StorageFull>>;
  restore(id: string): Promise<Result<AuthorityState, AuthoritySaveFault>>;
  find(id: string): Promise<StoredAuthority | undefined>;
  /** Completes deletions that can no longer be undone, and gives up origins that nothing else uses. */
  finalise(): Promise<void>;
}

/**
 * Creates the list of license authorities. As with connections, an authority is saved whatever the agent answers in the
 * browser's permission prompt.
 */
export function createAuthorities(needs: AuthoritiesNeeds): Authorities {
  const { store, permissions, originPermissions } = needs;
  // An origin may serve both an authority and a connection, so their changes run one after the other.
  const runExclusive = <T>(task: () => Promise<T>): Promise<T> =>
    needs.runExclusive('connections', task);
  const softDelete = createSoftDelete({ ...needs, store: deletableIn(store) });

  async function stateOf(stored: StoredAuthority): Promise<AuthorityState> {
    return { ...stored, permitted: await permissions.has(originPattern(stored.address)) };
  }

  async function find(id: string): Promise<StoredAuthority | undefined> {
    return (await store.read()).find((one) => one.id === id && isLive(one));
  }

  async function save(
    { id: known, ...fields }: AuthorityDraft,
    newId: string,
  ): Promise<Result<AuthorityState, AuthoritySaveFault>> {
    const id = known ?? newId;
    const present = await find(id);
    if (known !== undefined && present === undefined) return fail({ kind: 'no-authority' });
    const saved: StoredAuthority = { id, ...fields, name: fields.name.trim() };
    const all = await store.read();
    if (present === undefined && all.length >= authorityBounds.authorities)
      return fail({ kind: 'too-many' });
    const written = await store.change((before) =>
      before.some((one) => one.id === id)
        ? before.map((one) => (one.id === id ? saved : one))
        : [...before, saved],
    );
    if (!written.ok) return written;
    if (present) await originPermissions.giveUpUnused([present.address]);
    return succeed(await stateOf(saved));
  }

  return {
    list: async () => Promise.all((await store.read()).filter(isLive).map(stateOf)),
    find,
    save: (draft, newId) => runExclusive(() => save(draft, newId)),

    delete: (id) => runExclusive(() => softDelete.delete(id)),

    restore: (id) =>
      runExclusive(async () => {
        const restored = await softDelete.restore(id);
        if (!restored.ok) return restored;
        return restored.value
          ? succeed(await stateOf(restored.value))
          : fail({ kind: 'no-authority' });
      }),

    finalise: () =>
      runExclusive(async () => {
        const gone = await softDelete.finalise();
        await originPermissions.giveUpUnused(gone.map(({ address }) => address));
      }),
  };
}
