import * as v from 'valibot';

import {
  authorityBounds,
  authorityFields,
  authorityIdSchema,
  type LicenseAuthority,
} from '#core/authority/index';
import { parseBaseAddress } from '#core/address/index';
import {
  accountLocation,
  type Connection,
  connectionBounds,
  connectionFields,
} from '#core/connections/index';
import type { KeyFile } from '#core/key-ring/index';
import { type ReplySettings, sharedReplySchema } from '#core/reply-templates/index';
import { type Result, fail, succeed } from '#core/result';
import {
  defaultPreferences,
  type HistorySettings,
  historySettingsSchema,
  maxSites,
  sharedSiteSchema,
  type Site,
  type Switch,
  withoutExpectedItem,
} from '#core/preferences/index';

/** Limits a settings file: its bytes, or its JSON in UTF-16 units. */
export const maxSettingsLength = 2 * 1024 * 1024;

/** Settings to pass from browser to browser. They contain no secret. */
export interface SettingsFile {
  readonly format: 'counterfoil-settings';
  readonly version: 2;
  readonly connections: readonly SharedConnection[];
  readonly authorities: readonly LicenseAuthority[];
  readonly sites: readonly Site[];
  /** Public keys; each is pinned only after its fingerprint is confirmed. Read them with `readKeyFile`. */
  readonly keys: KeyFile['keys'] | readonly unknown[];
  readonly templates?: ReplySettings;
  readonly privacy?: SharedSwitches;
}

/** A policy cannot set the shortcuts, since an agent must be able to switch them off. */
const ownSwitch = 'shortcuts';

/** A switch that a settings file holds and a policy may set. */
export type SharedSwitch = Exclude<Switch, typeof ownSwitch>;

/** Returns a record with a value for each shared switch. */
export function forSharedSwitches<T>(
  valueOf: (name: SharedSwitch) => T,
): Readonly<Record<SharedSwitch, T>> {
  const names = Object.entries(defaultPreferences).flatMap(([name, value]) =>
    typeof value === 'boolean' && name !== ownSwitch ? [name as SharedSwitch] : [],
  );
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<SharedSwitch, T>;
}

/** The shared switches and the history's settings. An absent one is not changed by an import. */
export interface SharedSwitches extends Readonly<Partial<Record<SharedSwitch, boolean>>> {
  readonly history?: HistorySettings;
}

export type SharedConnection = Omit<Connection, 'revision' | 'throughRelay'>;

export type SharedLists = Pick<SettingsFile, 'connections' | 'authorities' | 'sites'>;

/**
 * Converts stored lists to those of a file, without what is specific to this browser, such as a connection's revision.
 */
export function sharedLists(stored: {
  readonly connections: readonly SharedConnection[];
  readonly authorities: readonly LicenseAuthority[];
  readonly sites: readonly Site[];
}): SharedLists {
  return {
    connections: stored.connections.map(({ id, name, baseAddress, dialect, ...location }) => ({
      ...accountLocation(location),
      id,
      name,
      baseAddress,
      dialect,
    })),
    authorities: stored.authorities,
    // The expected item of a deleted connection stays stored as long as the deletion can be undone.
    sites: stored.sites.map((site) =>
      namesConnection(site, stored.connections) ? site : withoutExpectedItem(site),
    ),
  };
}

export type SettingsFileFault =
  | { readonly kind: 'not-settings' }
  | { readonly kind: 'newer-version' }
  /** `path` names the first unreadable member, dotted. */
  | { readonly kind: 'unreadable'; readonly path: string };

const maxKeys = 1000;

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

const connections = v.pipe(
  v.array(
    v.strictObject({
      ...connectionFields,
      baseAddress: address,
    }),
  ),
  v.maxLength(connectionBounds.connections),
);

const format = v.literal('counterfoil-settings');

/** Refuses unknown members in objects that could contain a secret, so that a file with an API key is refused. */
export const settingsFileSchema = v.strictObject({
  format,
  version: v.literal(2),
  connections: v.optional(connections, []),
  authorities: v.optional(
    v.pipe(
      v.array(v.strictObject({ id: authorityIdSchema, ...authorityFields })),
      v.maxLength(authorityBounds.authorities),
    ),
    [],
  ),
  sites: v.optional(v.pipe(v.array(sharedSiteSchema), v.maxLength(maxSites)), []),
  keys: v.optional(v.pipe(v.array(v.unknown()), v.maxLength(maxKeys)), []),
  templates: v.exactOptional(sharedReplySchema),
  privacy: v.exactOptional(
    v.strictObject({
      ...forSharedSwitches(() => v.exactOptional(v.boolean())),
      history: v.exactOptional(v.strictObject(historySettingsSchema.entries)),
    }),
  ),
});

const head = v.looseObject({
  format,
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

/**
 * Reads a settings file written by a person for others. Refuses an expected item whose connection is not in the file.
 */
export function readWrittenSettings(data: unknown): Result<SettingsFile, SettingsFileFault> {
  const read = readSettingsFile(data);
  if (!read.ok) return read;
  const { sites, connections } = read.value;
  const dangling = sites.findIndex((site) => !namesConnection(site, connections));
  if (dangling < 0) return read;
  return fail({
    kind: 'unreadable',
    path: `sites.${String(dangling)}.expectedItem.connectionId`,
  });
}

/** Reads a settings file from untrusted data. */
export function readSettingsFile(data: unknown): Result<SettingsFile, SettingsFileFault> {
  const begun = v.safeParse(head, data);
  if (!begun.success) return fail({ kind: 'not-settings' });
  if (begun.output.version > 2) return fail({ kind: 'newer-version' });
  const read = v.safeParse(settingsFileSchema, data, { abortEarly: true });
  return read.success
    ? succeed(read.output)
    : fail({ kind: 'unreadable', path: v.getDotPath(read.issues[0]) ?? '$' });
}

/** Tells whether the connection of a help desk's expected item is one of these; true if it names none. */
function namesConnection(
  { expectedItem }: Site,
  connections: readonly { readonly id: string }[],
): boolean {
  const named = expectedItem?.connectionId;
  return named === undefined || connections.some(({ id }) => id === named);
}
