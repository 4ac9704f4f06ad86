import type { RecordForm } from '#adapters/storage/tables';
import type { StorageArea } from '#adapters/storage/storage-area';
import { type Result, fail, succeed } from '#core/result';

/** Tells that a newer version of the program wrote the value: it is left as it is. */
export interface NewerVersion {
  readonly kind: 'newer-version';
}

/** Keeps one value in extension storage, with a version. */
export interface StoredSetting<T extends object> {
  /** Returns `undefined` when nothing is stored. A value that cannot be read is set aside first. */
  read(): Promise<T | undefined>;
  /** Sets a present value that cannot be read aside in the same write. Rejects when storage is full. */
  write(value: T): Promise<Result<void, NewerVersion>>;
  /**
   * Writes what `edit` makes of the present value, as `read` returns it, and returns that. Nothing else writes in between,
   * in any page or worker. Rejects when storage is full.
   */
  change(edit: (present: T | undefined) => T): Promise<Result<T, NewerVersion>>;
  isNewer(): Promise<boolean>;
  /** Gives each value that was set aside to `take`, then removes it from extension storage. */
  moveAside(take: (value: UnreadableValue) => Promise<void>): Promise<void>;
}

export interface UnreadableValue {
  /** When it was set aside, epoch milliseconds. */
  readonly at: number;
  /** The first member that cannot be read, dotted; `$` is the whole value. */
  readonly path: string;
  readonly value: unknown;
}

interface SettingDefinition<T extends object> {
  readonly area: StorageArea;
  readonly key: string;
  readonly form: RecordForm<T>;
  /** Returns what can be used of a value that is unreadable as a whole. Must be total. */
  readonly salvage: (value: unknown) => T;
}

export function createStoredSetting<T extends object>({
  area,
  key,
  form,
  salvage,
}: SettingDefinition<T>): StoredSetting<T> {
  const asideKey = `${key}-unreadable`;
  const stored = async (): Promise<unknown> => (await area.get(key))[key];
  /** Runs a task once no other of this setting runs anywhere in this browser. */
  const exclusively = async <R>(task: () => Promise<R>): Promise<R> =>
    navigator.locks.request(`counterfoil-setting-${key}`, task);

  async function listAside(): Promise<UnreadableValue[]> {
    const aside = (await area.get(asideKey))[asideKey];
    return Array.isArray(aside) ? (aside as UnreadableValue[]) : [];
  }

  /** Writes what becomes of the present value, and that beside it when it cannot be read; nothing where there is none. */
  async function replace<Next extends T | undefined>(
    edit: (present: T | undefined) => Next,
  ): Promise<Result<Next, NewerVersion>> {
    const value = await stored();
    const reading = value === undefined ? undefined : form.read(value);
    if (reading?.kind === 'newer') return fail({ kind: 'newer-version' });
    const isUnreadable = reading?.kind === 'unreadable';
    const next = edit(isUnreadable ? salvage(value) : reading?.record);
    if (next === undefined) return succeed(next);
    const written = { [key]: form.write(next) };
    if (isUnreadable) {
      const aside = [...(await listAside()), { at: Date.now(), path: reading.path, value }];
      await area.set({ ...written, [asideKey]: aside });
    } else await area.set(written);
    return succeed(next);
  }

  return {
    async read() {
      const value = await stored();
      if (value === undefined) return undefined;
      const reading = form.read(value);
      if (reading.kind === 'readable') return reading.record;
      // On a full disk it stays where it is: a later write fails as well.
      if (reading.kind === 'unreadable')
        await exclusively(() => replace((present) => present)).catch(() => undefined);
      return salvage(value);
    },

    async write(value) {
      const written = await exclusively(() => replace(() => value));
      return written.ok ? succeed(undefined) : written;
    },

    change: (edit) => exclusively(() => replace(edit)),

    async isNewer() {
      const value = await stored();
      return value !== undefined && form.read(value).kind === 'newer';
    },

    moveAside: (take) =>
      exclusively(async () => {
        const aside = await listAside();
        if (aside.length === 0) return;
        for (const each of aside) await take(each);
        await area.remove(asideKey);
      }),
  };
}
