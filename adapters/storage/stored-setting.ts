import {
  findUnused,
  type RecordCodec,
  type RecordSource,
  type UnreadableRecord,
} from '#adapters/storage/tables';
import { type Result, fail, succeed } from '#core/result';

/** Tells that a newer version of the program wrote the value: it is left as it is. */
export interface NewerVersion {
  readonly kind: 'newer-version';
}

/** Keeps one value under a key, with a version. A value that cannot be read stays there until something is written. */
export interface StoredSetting<T extends object> extends RecordSource {
  /** Returns `undefined` when nothing is stored, and of a value that cannot be read what can be used. */
  read(): Promise<T | undefined>;
  /** Keeps a present value that cannot be read beside the new one, in the same write. Rejects when storage is full. */
  write(value: T): Promise<Result<void, NewerVersion>>;
  /**
   * Writes what `edit` makes of the present value, as `read` returns it, and returns that. Nothing else writes in
   * between, in any page or worker. Rejects when storage is full.
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
  /** Returns what can be used of a value that is unreadable as a whole. Must be total. */
  readonly salvage: (value: unknown) => T;
}

export function createStoredSetting<T extends object>({
  area,
  key,
  codec,
  salvage,
}: SettingDefinition<T>): StoredSetting<T> {
  /** The values that could not be read when something was written over them. */
  const replacedKey = `${key}-unreadable`;
  const stored = async (): Promise<unknown> => (await area.get(key))[key];
  /** Runs a task once no other of this setting runs anywhere in this browser. */
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
