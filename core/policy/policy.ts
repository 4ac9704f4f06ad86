import * as v from 'valibot';

import { defaultDialect, type SecretMode } from '#core/connections/index';
import { sharedKeySchema } from '#core/key-ring/index';
import { parseJson, parsePlainJson, withoutByteOrderMark } from '#core/encoding/index';
import type { PinnedKey } from '#core/keys/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { readSettingsFile, type SettingsFile, type SettingsFileFault } from '#core/settings/index';
import type { StorageFull } from '#core/storage/index';
import { findLanguage, translatedLanguages } from '#core/text/index';
import type { EntryIds } from '#core/settings-import/index';

/**
 * An organization's settings for its agents: a settings file with some members that only a policy may have. It contains
 * no secret.
 */
export interface Policy extends Omit<SettingsFile, 'keys'> {
  /** Public keys that are pinned without confirmation; their fingerprints were checked against their bytes. */
  readonly keys: readonly PinnedKey[];
  readonly keyStorage?: DemandedKeyStorage;
  /** The language of the pages: English, or one of `translatedLanguages`. */
  readonly language?: string;
}

/** The only way in which API keys may be stored. */
export interface DemandedKeyStorage {
  readonly mode: SecretMode;
  /** Minutes without use after which keys under a passphrase lock. */
  readonly lockAfterMinutes?: number;
}

/** Why a policy is not used. No part of a faulty policy is. */
export type PolicyFault =
  /** The value is not a string. */
  | { readonly kind: 'not-text' }
  | { readonly kind: 'not-json' }
  /** JSON that readers disagree about, such as a duplicated name: one of the two values could be a secret. */
  | { readonly kind: 'ambiguous' }
  /** An API key, a token or a passphrase, which every user of the browser could read. */
  | { readonly kind: 'holds-secret'; readonly path: string }
  /** The fingerprint at `path` belongs to another key. */
  | { readonly kind: 'wrong-fingerprint'; readonly path: string }
  | SettingsFileFault;

/** The answer to an attempt to change what the organization has set. */
export interface SetByPolicy {
  readonly kind: 'set-by-policy';
}

/** The members that a settings file does not have or does not validate. */
export const policyOnlySchema = v.object({
  keys: v.optional(v.array(sharedKeySchema), []),
  keyStorage: v.exactOptional(
    v.strictObject({
      mode: v.picklist(['device', 'passphrase', 'session']),
      lockAfterMinutes: v.exactOptional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1440)),
      ),
    }),
  ),
  language: v.exactOptional(
    v.pipe(
      v.string(),
      // Language, script and region: `Intl` accepts every such tag.
      v.regex(/^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/iu),
      v.transform((tag) => findLanguage(tag, ['en', ...translatedLanguages])),
      v.string(),
    ),
  ),
});

/**
 * Reads a policy from the browser's managed value: the JSON text of a settings file, with the additional members
 * `keyStorage` and `language`. A fault names the member, and then no part of the policy is used.
 * @param fingerprintOf returns the SHA-256 of 32 bytes; both are written as 64 hexadecimal digits
 */
export async function readPolicy(
  settings: unknown,
  fingerprintOf: (raw: string) => Promise<string>,
): Promise<Result<Policy, PolicyFault>> {
  if (typeof settings !== 'string') return fail({ kind: 'not-text' });
  const text = withoutByteOrderMark(settings);
  const data = parsePlainJson(text);
  if (data === undefined)
    return fail({ kind: parseJson(text) === undefined ? 'not-json' : 'ambiguous' });
  const secret = findSecret(data);
  if (secret !== undefined) return fail({ kind: 'holds-secret', path: secret });
  const file = readSettingsFile(withDialects(withoutOwn(data)));
  if (!file.ok) return file;
  const own = v.safeParse(policyOnlySchema, data, { abortEarly: true });
  if (!own.success) return fail({ kind: 'unreadable', path: v.getDotPath(own.issues[0]) ?? '$' });
  const { keys } = own.output;
  for (const [at, { raw, fingerprint }] of keys.entries())
    if ((await fingerprintOf(raw)) !== fingerprint)
      return fail({ kind: 'wrong-fingerprint', path: `keys.${String(at)}.fingerprint` });
  return succeed({
    ...file.value,
    ...own.output,
    keys: keys.map((key) => ({ ...key, id: key.fingerprint })),
  });
}

interface FileText {
  readonly connections?: unknown;
}

/** Leaves out the members that a settings file does not have. */
function withoutOwn(data: unknown): FileText {
  const members = Object.entries({ ...(data as object) });
  return Object.fromEntries(
    members.filter(([name]) => name !== 'keyStorage' && name !== 'language'),
  );
}

/** Completes dialects: a policy may leave out members with the usual value. */
function withDialects({ connections, ...others }: FileText): object {
  if (!Array.isArray(connections)) return omitUndefined({ ...others, connections });
  return {
    ...others,
    connections: connections.map((one: unknown) => {
      const { dialect = {}, ...members } = { ...(one as object) } as { dialect?: unknown };
      return typeof dialect === 'object'
        ? { ...members, dialect: { ...defaultDialect, ...dialect } }
        : one;
    }),
  };
}

const secretName =
  /^(?:key|[\w-]*(?:api|secret|access|private|auth)[-_]?keys?|[\w-]*tokens?|[\w-]*secrets?|[\w-]*pass(?:word|phrase)s?)$/iu;

/**
 * Finds a member whose name suggests a secret, such as `apiKey` or `controlToken`.
 * @returns its dotted path; undefined if there is none
 */
function findSecret(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  for (const [name, value] of Object.entries(data)) {
    if (secretName.test(name)) return name;
    const inner = findSecret(value);
    if (inner !== undefined) return `${name}.${inner}`;
  }
  return undefined;
}

/** The organization's policy in this browser: its rules, and the entries that it set. */
export interface PolicyState {
  /** The policy in force; null without one. */
  readonly policy: Policy | null;
  readonly locked: EntryIds;
  /** Why the present policy is not used; an earlier one may still be in force. */
  readonly fault: PolicyFault | StorageFull | null;
}
