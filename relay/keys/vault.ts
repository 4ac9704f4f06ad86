import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
} from 'node:crypto';

import type { RawReply } from '#core/http/exchange';
import { type Keyring } from '#relay/keys/keyring';
import type { Store, Stored } from '#relay/store/index';
import { Problem } from '#relay/problem';

type SecretName = Stored<'secret'>['name'];

const ivBytes = 12;
const tagBytes = 16;

/** 32 bytes. One that is used often is a `KeyObject`, since preparing the bytes takes longer than encrypting a reply. */
type CipherKey = Uint8Array | KeyObject;

/**
 * Encrypts with AES-256-GCM and a random nonce. Returns nonce, ciphertext and tag concatenated.
 * @param about additional data; `open` needs the same
 */
function seal(key: CipherKey, plain: Uint8Array, about: readonly string[]): Uint8Array {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(bind(about));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts the result of `seal`; undefined if key, text or additional data differ. */
function open(
  key: CipherKey,
  sealed: Uint8Array,
  about: readonly string[],
): Uint8Array | undefined {
  if (sealed.length < ivBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(bind(about));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const plain = decipher.update(sealed.subarray(ivBytes, -tagBytes));
    // In this mode it returns nothing, but throws unless the tag is right.
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
}

/** Serializes the parts so that different lists never give the same bytes. */
function bind(about: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(['counterfoil-relay', 1, ...about]));
}

export interface Vault {
  /** Encrypts an API key with its own data key, bound to connection, base address and version. */
  sealKey(at: KeyPlace, apiKey: string): Stored<'key'>;
  /** Decrypts an API key; undefined if it was encrypted for another address, or with a missing master key. */
  openKey(key: Stored<'key'>, baseAddress: string): string | undefined;
  /** Returns the HMAC-SHA-256 of text in hexadecimal, with a secret for this purpose. */
  hmac(purpose: 'audit-hmac' | 'cache-hmac', text: string): string;
  /** Encrypts a reply for the cache, bound to its cache key. */
  sealReply(cacheKey: string, reply: CachedAnswer): Uint8Array;
  /** Decrypts a reply; undefined if that fails. */
  openReply(cacheKey: string, sealed: Uint8Array): CachedAnswer | undefined;
}

type CachedAnswer = Pick<RawReply, 'status' | 'contentType' | 'body'>;

interface KeyPlace {
  readonly connection: string;
  readonly baseAddress: string;
  readonly version: number;
}

const names: readonly SecretName[] = ['canary', 'audit-hmac', 'cache-hmac', 'cache-body'];

/**
 * Opens the vault. The first time it creates the relay's secrets.
 * @throws Problem if the canary or another secret cannot be decrypted
 */
export async function openVault(store: Store, keyring: Keyring): Promise<Vault> {
  const master = masterKey(keyring, keyring.currentId);
  await store.addSecrets(
    names.map((name) => ({
      name,
      masterKeyId: keyring.currentId,
      wrapped: seal(master, randomBytes(32), ['secret', name]),
    })),
  );
  const raw = openSecrets(await store.secrets(), keyring);
  const secrets = {
    'audit-hmac': createSecretKey(raw['audit-hmac']),
    'cache-hmac': createSecretKey(raw['cache-hmac']),
    'cache-body': createSecretKey(raw['cache-body']),
  };

  return {
    sealKey: (at, apiKey) => {
      const dataKey = randomBytes(32);
      return {
        connection: at.connection,
        version: at.version,
        masterKeyId: keyring.currentId,
        wrappedDataKey: seal(master, dataKey, aboutDataKey(at)),
        sealed: seal(dataKey, Buffer.from(apiKey), aboutKey(at)),
      };
    },
    openKey: (key, baseAddress) => {
      const dataKey = openDataKey(key, keyring);
      const plain = dataKey && open(dataKey, key.sealed, aboutKey({ ...key, baseAddress }));
      return plain && Buffer.from(plain).toString();
    },
    hmac: (purpose, text) => createHmac('sha256', secrets[purpose]).update(text).digest('hex'),
    sealReply: (cacheKey, { body, ...head }) => {
      const plain = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
      return seal(secrets['cache-body'], plain, ['reply', cacheKey]);
    },
    openReply: (cacheKey, sealed) => {
      const plain = open(secrets['cache-body'], sealed, ['reply', cacheKey]);
      if (plain === undefined) return undefined;
      const end = plain.indexOf(0x0a);
      const head = JSON.parse(Buffer.from(plain.subarray(0, end)).toString()) as Omit<
        CachedAnswer,
        'body'
      >;
      return { ...head, body: plain.subarray(end + 1) };
    },
  };
}

/**
 * Wraps every data key and secret with the current master key, even a key that is set in the meantime with an old one. The data that they
 * protect does not change.
 * @returns how many were wrapped again
 * @throws Problem if one cannot be decrypted; then nothing more is changed
 */
export async function rotate(store: Store, keyring: Keyring): Promise<number> {
  const master = masterKey(keyring, keyring.currentId);
  const old = (one: { readonly masterKeyId: string }): boolean =>
    one.masterKeyId !== keyring.currentId;
  let count = 0;
  for (;;) {
    const keys = (await store.keys()).filter(old).map((key) => {
      const dataKey = openDataKey(key, keyring);
      if (dataKey === undefined) throw new Problem(`The key of ${key.connection} does not open.`);
      const { connection, wrappedDataKey: before } = key;
      const wrappedDataKey = seal(master, dataKey, aboutDataKey(key));
      return { connection, before, masterKeyId: keyring.currentId, wrappedDataKey };
    });
    const all = await store.secrets();
    const opened = openSecrets(all, keyring);
    const secrets = all.filter(old).map(({ name }) => ({
      name,
      masterKeyId: keyring.currentId,
      wrapped: seal(master, opened[name], ['secret', name]),
    }));
    if (keys.length + secrets.length === 0) return count;
    count += await store.rewrap(keys, secrets);
  }
}

function masterKey(keyring: Keyring, id: string): Uint8Array {
  const key = keyring.find(id);
  if (key === undefined)
    throw new Problem(
      `The database needs the master key ${id}: name its file in RELAY_MASTER_KEY, or in RELAY_OLD_MASTER_KEYS until it is rotated.`,
    );
  return key;
}

function openDataKey(key: Stored<'key'>, keyring: Keyring): Uint8Array | undefined {
  const master = keyring.find(key.masterKeyId);
  return master && open(master, key.wrappedDataKey, aboutDataKey(key));
}

function openSecrets(
  sealed: readonly Stored<'secret'>[],
  keyring: Keyring,
): Readonly<Record<SecretName, Uint8Array>> {
  const entries = names.map((name) => {
    const secret = sealed.find((one) => one.name === name);
    const plain =
      secret && open(masterKey(keyring, secret.masterKeyId), secret.wrapped, ['secret', name]);
    if (plain === undefined) {
      throw new Problem(`The master key does not fit this database: ${name} does not open.`);
    }
    return [name, plain] as const;
  });
  return Object.fromEntries(entries) as Record<SecretName, Uint8Array>;
}

function aboutDataKey(at: Omit<KeyPlace, 'baseAddress'>): string[] {
  return ['data-key', at.connection, String(at.version)];
}

function aboutKey(at: KeyPlace): string[] {
  return ['api-key', at.connection, at.baseAddress, String(at.version)];
}
