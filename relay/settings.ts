import { existsSync, readFileSync, statSync } from 'node:fs';

import { isSafeOrigin } from '#core/address/index';
import type { OpenIdSettings } from '#relay/join/openid';
import { type Keyring, readKeyring } from '#relay/keys/keyring';
import { isPostgres } from '#relay/store/index';
import { oneOf, Problem, whole } from '#relay/problem';

export interface Settings {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly metricsHost?: string | undefined;
  readonly metricsPort: number;
  /** The file of the embedded database, or the address of one in PostgreSQL. */
  readonly database: string;
  readonly logLevel: string;
  readonly noticeMs: number;
  /** How large a PostgreSQL database may become, if the administrator has set that. */
  readonly databaseRoomBytes?: number | undefined;
  /** The relay's address as browsers see it; by default the one at which it listens. */
  readonly publicOrigin?: string | undefined;
  /** Reads the registration at the OpenID provider when called; undefined if there is none. @throws Problem */
  readonly openId: () => OpenIdSettings | undefined;
  /** Reads the key files when called, since some commands need none. @throws Problem */
  readonly keyring: () => Keyring;
}

const meanings = {
  RELAY_DATABASE:
    'it names the file of the embedded database; for PostgreSQL, set DATABASE_URL in its place',
  RELAY_MASTER_KEY: 'it names a file that "admin master-key create FILE" has written',
  RELAY_ORIGIN: 'it is the address that agents know, such as https://relay.example',
  RELAY_OIDC_CLIENT_ID: 'it is what the provider calls the relay',
  RELAY_OIDC_CLIENT_SECRET_FILE: 'it names a file with the secret that the provider gave',
} as const;

type Require = (name: keyof typeof meanings) => string;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from environment variables; `relay/README.md` lists them. @throws Problem */
export function readSettings(given: Environment): Settings {
  // Empty means not set, since an empty host would listen on every address of the machine.
  const environment: Environment = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== ''),
  );
  const text = (name: string, otherwise: string): string => environment[name] ?? otherwise;
  const number = (name: string, otherwise: number, max: number): number =>
    whole(text(name, String(otherwise)), 0, max, name);
  const required: Require = (name) => {
    const value = environment[name];
    if (value !== undefined) return value;
    throw new Problem(`${name} is not set: ${meanings[name]}.`);
  };
  return {
    name: text('RELAY_NAME', 'Counterfoil relay').slice(0, 200),
    host: text('RELAY_HOST', '127.0.0.1'),
    port: number('RELAY_PORT', 8790, 65_535),
    metricsHost: environment['RELAY_METRICS_HOST'],
    metricsPort: number('RELAY_METRICS_PORT', 8791, 65_535),
    database: readDatabase(environment, required),
    logLevel: oneOf(logLevels, text('RELAY_LOG_LEVEL', 'info'), 'RELAY_LOG_LEVEL'),
    noticeMs: number('RELAY_NOTICE_MS', 0, 60_000),
    databaseRoomBytes: number('RELAY_DATABASE_ROOM_MB', 0, 1e9) * 1024 * 1024 || undefined,
    publicOrigin: readOrigin(environment['RELAY_ORIGIN']),
    openId: () => readOpenId(environment, required),
    keyring: () =>
      readKeyring([
        required('RELAY_MASTER_KEY'),
        ...text('RELAY_OLD_MASTER_KEYS', '')
          .split(':')
          .filter((file) => file !== ''),
      ]),
  };
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const identities = ['email', 'object-id'] as const;

function readOpenId(environment: Environment, required: Require): OpenIdSettings | undefined {
  const given = environment['RELAY_OIDC_ISSUER'];
  if (given === undefined) return undefined;
  const issuer = URL.parse(given);
  if (issuer === null || !isSafeOrigin(issuer)) {
    throw new Problem(`RELAY_OIDC_ISSUER is "${given}", and must be an https address.`);
  }
  // The provider sends people back to this address, so it must not be guessed from a request.
  required('RELAY_ORIGIN');
  return {
    issuer,
    clientId: required('RELAY_OIDC_CLIENT_ID'),
    clientSecret: readSecretFile(required('RELAY_OIDC_CLIENT_SECRET_FILE')),
    scope: environment['RELAY_OIDC_SCOPE'] ?? 'openid email',
    identifiedBy: oneOf(
      identities,
      environment['RELAY_OIDC_IDENTITY'] ?? 'email',
      'RELAY_OIDC_IDENTITY',
    ),
    groups: readGroups(environment),
  };
}

/** Reads `lead=Support leads; agent=Support`. The role comes first, since a group may have any name. */
function readGroups({
  RELAY_OIDC_ROLES: given,
  RELAY_OIDC_GROUPS_CLAIM: claim = 'groups',
}: Environment): OpenIdSettings['groups'] {
  if (given === undefined) return undefined;
  const roles = given.split(';').map((pair) => {
    const [, role, group] = /^([a-z0-9-]+)\s*=\s*(\S.*)$/.exec(pair.trim()) ?? [];
    if (role !== undefined && group !== undefined) return { role, group };
    throw new Problem(`RELAY_OIDC_ROLES is "${given}", and must be ROLE=GROUP; ROLE=GROUP.`);
  });
  return { claim, roles };
}

function readSecretFile(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new Problem(`The file ${file} is not there.`);
  if (process.platform !== 'win32' && (stat.mode & 0o007) !== 0) {
    throw new Problem(`The file ${file} can be read by everybody: chmod 440 it.`);
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Problem(`The file ${file} is empty.`);
  return secret;
}

function readDatabase(
  { DATABASE_URL: address, RELAY_DATABASE: file }: Environment,
  required: Require,
): string {
  if (address === undefined) return required('RELAY_DATABASE');
  if (file !== undefined)
    throw new Problem('DATABASE_URL and RELAY_DATABASE are both set, here or in relay.env.');
  if (isPostgres(address) && URL.canParse(address)) return address;
  // The value may contain a password.
  throw new Problem(
    'DATABASE_URL is no address such as postgres://ROLE:PASSWORD@HOST/NAME; a password may need percent escapes.',
  );
}

/** @throws Problem if an embedded database is missing, since only a command that begins one may create it */
export function requireDatabase(place: string): void {
  if (isPostgres(place) || existsSync(place)) return;
  throw new Problem(
    `There is no database ${place}: RELAY_DATABASE names another file, or nothing has been added yet.`,
  );
}

/** Returns the address at which this machine reaches a listener on a host. */
export function addressAt(host: string, port: number): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${String(port)}`;
}

function readOrigin(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const origin = parseOrigin(given);
  if (origin !== undefined) return origin;
  throw new Problem(
    `RELAY_ORIGIN is "${given}", and must be an address such as https://relay.example, without a path; http on this machine alone.`,
  );
}

/** Parses the address of a relay, without a path; undefined for any other text. */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  const isOrigin = url !== null && isSafeOrigin(url) && `${url.origin}/` === url.href;
  return isOrigin && [url.origin, url.href].includes(text) ? url.origin : undefined;
}
