import {
  findUnused,
  type RecordCodec,
  type RecordSource,
  type UnreadableRecord,
} from '#adapters/storage/tables';
import { type Result, fail, succeed } from '#core/result';

/** A newer version of the program wrote the value, so it is not changed. */
export interface NewerVersion {
  readonly kind: 'newer-version';
}

/** Stores one value under a key, with a version. An unreadable value stays until something is written. */
export interface StoredSetting<T extends object> extends RecordSource {
  /** Returns `undefined` if nothing is stored, and the usable part of an unreadable value. */
  read(): Promise<T | undefined>;
  /**
   * Writes the value. An unreadable present value is preserved under another key in the same write. Rejects if storage
   * is full.
   */
  write(value: T): Promise<Result<void, NewerVersion>>;
  /**
   * Applies `edit` to the present value, as `read` returns it, and writes and returns the result. This is atomic among
   * all pages and the worker. Rejects if storage is full.
   */
  change(edit: (present: T | undefined) => T): Promise<Result<T, NewerVersion>>;
}

interface SettingDefinition<T extends object> {
  readonly area: {
    get(key: string): Promise<Record<string, unknown>>;
    set(items: Record<string, unknown>): Promise<void>;
    remove(key: string): Promise<void>;
  };
  readonly key: string;
  readonly codec: RecordCodec<T>;
  /** Returns the usable part of a value that is unreadable as a whole. Must never throw. */
  readonly salvage: (value: unknown) => T;
}

export function createStoredSetting<T extends object>({
  area,
  key,
  codec,
  salvage,
}: SettingDefinition<T>): StoredSetting<T> {
  /** The key under which unreadable values are preserved when they are overwritten. */
  const replacedKey = `${key}-unreadable`;
  const stored = async (): Promise<unknown> => (await area.get(key))[key];
  /** Runs a task under this setting's lock, shared by the whole browser. */
  const exclusively = async <R>(task: () => Promise<R>): Promise<R> =>
    navigator.locks.request(`counterfoil-setting-${key}`, task);

  async function listReplaced(): Promise<UnreadableRecord[]> {
    const replaced = (await area.get(replacedKey))[replacedKey];
    return Array.isArray(replaced) ? (replaced as UnreadableRecord[]) : [];
  }

  const change: StoredSetting<T>['change'] = (edit) =>
    exclusively(async () => {
      const value = await stored();
      const reading = value === undefined ? undefined : codec.read(value);
      if (reading?.kind === 'newer') return fail({ kind: 'newer-version' });
      const isUnreadable = reading?.kind === 'unreadable';
      const next = edit(isUnreadable ? salvage(value) : reading?.record);
      const replaced = isUnreadable && {
        [replacedKey]: [...(await listReplaced()), { path: reading.path, value }],
      };
      await area.set({ [key]: codec.write(next), ...replaced });
      return succeed(next);
    });

  return {
    async read() {
      const value = await stored();
      if (value === undefined) return undefined;
      const reading = codec.read(value);
      return reading.kind === 'readable' ? reading.record : salvage(value);
    },

    async write(value) {
      const written = await change(() => value);
      return written.ok ? succeed(undefined) : written;
    },

    change,

    async unused() {
      const value = await stored();
      const { unreadable, newer } = findUnused(value === undefined ? [] : [value], codec);
      return { unreadable: [...unreadable, ...(await listReplaced())], newer };
    },

    removeUnreadable: (isMeant) =>
      exclusively(async () => {
        const value = await stored();
        if (value !== undefined && codec.read(value).kind === 'unreadable' && isMeant(value))
          await area.set({ [key]: codec.write(salvage(value)) });
        const replaced = await listReplaced();
        const left = replaced.filter((one) => !isMeant(one.value));
        if (left.length === replaced.length) return;
        await (left.length === 0 ? area.remove(replacedKey) : area.set({ [replacedKey]: left }));
      }),
  };
}
