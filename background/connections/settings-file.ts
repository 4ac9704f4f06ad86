import * as v from 'valibot';

import { type Result, fail, succeed } from '#core/result';
import { parseBaseAddress } from '#core/connections/base-address';
import type { Dialect } from '#core/connections/connection';
import {
  connectionBounds,
  connectionIdSchema,
  connectionNameSchema,
  dialectSchema,
} from '#core/connections/connection-schema';
import type { StoredConnection } from '#adapters/storage/connection-store';
import type { ImportFault, SettingsFile } from '#messaging/settings/protocol';

const address = v.pipe(
  v.string(),
  v.maxLength(connectionBounds.baseAddress),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseBaseAddress(dataset.value);
    if (parsed.ok) return parsed.value.address;
    addIssue({ message: parsed.fault.kind });
    return NEVER;
  }),
);

/** Validates a settings file; refuses unknown members, so that a file with an API key is refused. */
const settingsFile = v.strictObject({
  format: v.literal('counterfoil-settings'),
  version: v.literal(1),
  connections: v.pipe(
    v.array(
      v.strictObject({
        id: connectionIdSchema,
        name: connectionNameSchema,
        baseAddress: address,
        dialect: dialectSchema,
      }),
    ),
    v.maxLength(connectionBounds.connections),
  ),
});

type Imported = v.InferOutput<typeof settingsFile>['connections'][number];

/** Builds the settings file of connections, without their API keys. */
export function toSettingsFile(connections: readonly StoredConnection[]): SettingsFile {
  return {
    format: 'counterfoil-settings',
    version: 1,
    connections: connections
      .filter(({ deletedUntil }) => deletedUntil === undefined)
      .map(({ id, name, baseAddress, dialect }) => ({ id, name, baseAddress, dialect })),
  };
}

/** Reads a settings file from untrusted data. The fault's `path` names the first unreadable field, dotted; `$` is the whole file. */
export function readSettingsFile(file: unknown): Result<readonly Imported[], ImportFault> {
  const read = v.safeParse(settingsFile, file, { abortEarly: true });
  if (!read.success) {
    return fail({ kind: 'unreadable', path: v.getDotPath(read.issues[0]) ?? '$' });
  }
  return succeed(read.output.connections);
}

interface Merged {
  readonly connections: readonly StoredConnection[];
  readonly added: number;
  /** Ids. */
  readonly changed: readonly string[];
}

/**
 * Merges imported connections. One with the same address and the same id or name takes the file's name and dialect and keeps its
 * key. The same id at another address becomes a new connection, so that no file can redirect an existing key.
 */
export function merge(
  present: readonly StoredConnection[],
  imported: readonly Imported[],
  createId: () => string,
): Merged {
  const connections = [...present];
  const changed: string[] = [];
  let added = 0;
  for (const one of imported) {
    const at = connections.findIndex(
      ({ id, name, baseAddress }) =>
        baseAddress === one.baseAddress && (id === one.id || name === one.name),
    );
    const before = connections[at];
    if (before === undefined) {
      const isTaken = connections.some(({ id }) => id === one.id);
      connections.push({ ...one, id: isTaken ? createId() : one.id, revision: 1 });
      added += 1;
    } else if (!isUnchanged(before, one)) {
      const { id, revision } = before;
      connections[at] = { ...one, id, revision: revision + 1 };
      changed.push(id);
    }
  }
  return { connections, added, changed };
}

function isUnchanged({ name, dialect, deletedUntil }: StoredConnection, one: Imported): boolean {
  const members = Object.keys({ ...dialect, ...one.dialect }) as (keyof Dialect)[];
  return (
    deletedUntil === undefined &&
    name === one.name &&
    members.every((member) => dialect[member] === one.dialect[member])
  );
}
