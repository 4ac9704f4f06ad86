import { existsSync } from 'node:fs';

import { isRecord } from '#core/record';
import { parseTeamSettings } from '#core/team/index';
import { parseJson } from '#core/encoding/index';
import { dayMs } from '#core/time/index';
import { databaseAdvice } from '#relay/admin/database-advice';
import { environmentFiles, isOpenToAll } from '#relay/admin/environment-files';
import { causeOf, tryKey, whyShort } from '#relay/admin/key-trial';
import { readArguments } from '#relay/admin/command';
import { keyOf } from '#relay/admin/connections';
import { relayAddressOf } from '#relay/admin/team-settings';
import type { OpenIdSettings } from '#relay/join/openid';
import { openVault, type Vault } from '#relay/keys/vault';
import { messageOf } from '#relay/problem';
import { checkRoles, failureHeader } from '#relay/rules/index';
import { leastDiskBytes, lowBytes, roomFor } from '#relay/observe/disk-watch';
import { addressAt, readSettings, type Settings } from '#relay/settings';
import { administer } from '#relay/admin/operator';
import { isPostgres, roleInUse, type Store } from '#relay/store/index';
import { version } from '#relay/version';

/** Prints findings about one thing, and counts the problems. A warning or problem also says what to do. */
type Note = Readonly<Record<'ok' | 'warning' | 'problem', (says: string) => void>>;
type About = (about: string) => Note;

/** How long before the team's settings expire there is a warning, in milliseconds. */
const soonMs = 14 * dayMs;

/**
 * Checks everything that a relay needs, in its serving configuration, and prints a line per finding. Asks each marketplace once, as an
 * agent would.
 * @returns the exit code: 1 if there is a problem
 */
export async function runDoctor(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<number> {
  readArguments(args, []);
  let problems = 0;
  const say = (level: string, about: string) => (says: string) => {
    if (level === 'problem') problems += 1;
    print(`${level.padEnd(7)}  ${about}\t${says}`);
  };
  const note: About = (about) => ({
    ok: say('ok', about),
    warning: say('warning', about),
    problem: say('problem', about),
  });
  note('program').ok(`version ${version}, Node ${process.versions.node}`);
  const settings = await attempt(note, 'settings', () => readSettings(environment));
  if (settings !== undefined) await lookAtAll(note, settings);
  if (problems > 0) print(`${String(problems)} to be put right.`);
  return problems === 0 ? 0 : 1;
}

/**
 * Returns the result of the work; if it throws, reports a problem and returns undefined.
 * @param address the address of the database
 */
async function attempt<T>(
  note: About,
  about: string,
  work: () => T | Promise<T>,
  address = '',
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const advice = databaseAdvice(error, address);
    note(about).problem(advice ?? messageOf(error).replaceAll('\n', '; '));
    return undefined;
  }
}

async function lookAtAll(note: About, settings: Settings): Promise<void> {
  const { database } = settings;
  for (const file of Object.values(environmentFiles)) {
    if (isPostgres(database) && isOpenToAll(file))
      note(file).problem(
        'everybody on this machine may read it, and the password in it: chmod 640 it',
      );
  }
  const openId = await attempt(note, 'sign-in', settings.openId);
  const keyring = await attempt(note, 'master key', settings.keyring);
  if (!isPostgres(database) && !existsSync(database)) {
    note('database').problem(`there is no ${database}: "init" makes it, or correct RELAY_DATABASE`);
  } else {
    const look = (): Promise<void> =>
      administer(database, async (store) => {
        await lookAtDatabase(note, store, database);
        await attempt(note, 'disk', () => lookAtRoom(note, store, settings));
        if (await store.auditInDoubt()) {
          note('audit').warning(
            'old months are not dropped, since the week before yesterday has no row: see whether the clock of the database’s machine is ahead; if not, "admin audit keep MONTHS" drops them',
          );
        }
        const isNew = (await store.secrets()).length === 0;
        const vault =
          keyring && !isNew
            ? await attempt(note, 'master key', () => openVault(store, keyring))
            : undefined;
        if (vault !== undefined) note('master key').ok(`opens the database’s secrets`);
        await attempt(note, 'connections', () => lookAtConnections(note, store, vault));
        await attempt(note, 'team', () => lookAtTeam(note, store, settings));
        const roles = openId?.groups?.roles.map(({ role }) => role) ?? [];
        await attempt(note, 'sign-in', () => checkRoles(store, roles, 'RELAY_OIDC_ROLES: '));
      });
    await attempt(note, 'database', look, database);
  }
  if (openId !== undefined) await lookAtProvider(note, openId);
  await checkReachability(note, settings);
}

async function lookAtDatabase(note: About, store: Store, database: string): Promise<void> {
  await store.ping();
  if (!isPostgres(database)) {
    note('database').ok(database);
    return;
  }
  const { role, mayDoMore, fsync } = await roleInUse(database);
  if (fsync === 'off') {
    note('database').warning(
      'PostgreSQL loses commits with its power: take fsync = off out of its settings',
    );
  }
  if (mayDoMore) {
    note('database').warning(
      `the relay serves with the role ${role}, which may change the audit: put the runner’s into DATABASE_URL of relay.env, and the owner’s into owner.env`,
    );
  } else {
    note('database').ok(`it may be served with the role ${role}`);
  }
}

async function lookAtRoom(note: About, store: Store, settings: Settings): Promise<void> {
  const { database, databaseRoomBytes } = settings;
  const { freeBytes } = await roomFor(store, database, databaseRoomBytes);
  if (freeBytes === undefined) {
    note('disk').warning(
      'nobody knows how much room the database has: set RELAY_DATABASE_ROOM_MB to what it may take',
    );
    return;
  }
  const free = `${String(Math.floor(freeBytes / 2 ** 20))} MiB are free`;
  // Dropping months also writes to the log, which takes room itself.
  const orDrop = freeBytes < leastDiskBytes ? '' : ', or drop old months with "admin audit keep"';
  if (freeBytes >= lowBytes) note('disk').ok(free);
  else note('disk').problem(`${free}, and every call is refused: make room${orDrop}`);
}

/** Asks the marketplace of each connection whose key opens. */
async function lookAtConnections(
  note: About,
  store: Store,
  vault: Vault | undefined,
): Promise<void> {
  const connections = await store.connections();
  if (connections.length === 0) {
    note('connections').problem('there are none: "init" adds one, or "admin connections add"');
  }
  for (const connection of connections) {
    const about = `connection ${connection.id}`;
    const key = await keyOf(store, connection.id);
    const setKey = `admin keys set ${connection.id} < FILE`;
    if (key === undefined) {
      note(about).problem(`it has no API key: ${setKey}`);
      continue;
    }
    // A wrong master key is a separate finding.
    if (vault === undefined) continue;
    const apiKey = vault.openKey(key, connection.baseAddress);
    if (apiKey === undefined) {
      note(about).problem(`its API key does not open under this master key: ${setKey}`);
      continue;
    }
    const { verdict, why } = await tryKey({ store, vault }, connection, apiKey);
    const short = whyShort(apiKey);
    if (verdict === 'busy') note(about).warning(why);
    else if (verdict !== 'works') note(about).problem(why);
    else if (short !== undefined) note(about).warning(short);
    else note(about).ok(`${connection.baseAddress} takes the API key`);
  }
}

async function lookAtTeam(note: About, store: Store, { publicOrigin }: Settings): Promise<void> {
  if ((await store.agents()).length === 0) {
    note('agents').warning('there are none: admin agents add EMAIL');
  }
  const stored = await store.findSettings();
  const parsed = stored && parseTeamSettings(stored.payload);
  const sign = 'sign them anew with "settings sign", and hand them out with "admin settings set"';
  if (parsed === undefined) {
    note('team').warning(
      'no settings are signed, so that agents have no connection in Counterfoil: README.md says how',
    );
  } else if (!parsed.ok) {
    note('team').problem(`the signed settings cannot be read: ${sign}`);
  } else {
    const { expiresAt, settings, relay } = parsed.value;
    const handedOut = new Set(settings.connections.map(({ baseAddress }) => baseAddress));
    for (const { id } of await store.connections()) {
      if (handedOut.has(relayAddressOf(publicOrigin ?? relay, id))) continue;
      note(`connection ${id}`).warning(
        `the signed settings have no connection to it, so that agents do not see it: add it to them ("admin settings draft" prints it), and ${sign}`,
      );
    }
    const until = new Date(expiresAt).toISOString().slice(0, 10);
    if (expiresAt < store.clocks.now())
      note('team').problem(`the signed settings ended on ${until}: ${sign}`);
    else if (expiresAt < store.clocks.now() + soonMs)
      note('team').warning(`the signed settings end on ${until}: ${sign}`);
    else note('team').ok(`the settings are signed until ${until}`);
  }
}

/** Asks the OpenID provider for its addresses, as the first sign-in does. */
async function lookAtProvider(note: About, { issuer }: OpenIdSettings): Promise<void> {
  const address = `${issuer.href.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const heard = await ask(address);
  if ('cause' in heard) {
    note('sign-in').problem(
      `${address} cannot be reached: ${causeOf(heard.cause)}. Nobody can sign in: correct RELAY_OIDC_ISSUER, or see whether the provider is down`,
    );
    return;
  }
  const stated = parseJson(heard.body);
  const named = isRecord(stated) ? stated['issuer'] : undefined;
  if (heard.status === 200 && URL.parse(String(named))?.href === issuer.href) {
    note('sign-in').ok(`${issuer.href} answers`);
    return;
  }
  note('sign-in').problem(
    typeof named === 'string' && heard.status === 200
      ? `the provider calls itself ${named}: set RELAY_OIDC_ISSUER to that`
      : `${address} answers with status ${String(heard.status)}, and not as a provider does: correct RELAY_OIDC_ISSUER`,
  );
}

/** Asks the relay as an agent's browser does, through the proxy if there is one. */
async function checkReachability(
  note: About,
  { publicOrigin, host, port }: Settings,
): Promise<void> {
  const inside = addressAt(host, port);
  const origin = publicOrigin ?? inside;
  const about = 'way in';
  const known = await ask(`${origin}/.well-known/counterfoil-relay`);
  if ('cause' in known) {
    note(about).problem(
      `${origin} cannot be reached: ${causeOf(known.cause)}. Start the relay; before it, let the proxy lead to ${inside}`,
    );
    return;
  }
  if (!known.body.includes('"counterfoil_relay"')) {
    note(about).problem(
      `${origin} answers with status ${String(known.status)}, and not as a relay does: let the proxy lead every path to ${inside}`,
    );
    return;
  }
  const failing = known.headers.get(failureHeader);
  if (failing !== null) {
    note(about).problem(
      `the relay at ${origin} cannot answer (${failing}): what is a problem above may be why, and its log says it`,
    );
    return;
  }
  const told = parseJson(known.body);
  const stated = isRecord(told) ? told['counterfoil_relay'] : undefined;
  const serving = isRecord(stated) ? stated['program'] : undefined;
  if (serving !== version) {
    note(about).warning(
      `another version serves there, ${typeof serving === 'string' ? serving : 'an older one'}: restart it`,
    );
  }
  // A token that nobody has. The relay must receive it, and its refusal must arrive unchanged.
  const refused = await ask(`${origin}/c/doctor/api/account/details`, {
    authorization: 'Bearer doctor',
  });
  const failure = 'cause' in refused ? undefined : refused.headers.get(failureHeader);
  if (failure === undefined || failure === null) {
    note(about).problem(
      `what the relay says of a failure does not come through: let the proxy keep the header ${failureHeader}, and its own error pages away from the relay’s answers`,
    );
  } else if (failure === 'token-missing') {
    note(about).problem('the header Authorization does not come through: let the proxy pass it on');
  } else note(about).ok(`${origin} leads to the relay`);
  const metrics = await ask(`${origin}/metrics`);
  if ('body' in metrics && metrics.body.includes('counterfoil_relay_')) {
    note(about).warning(
      `everybody can read ${origin}/metrics: lead the proxy to the relay’s port alone`,
    );
  }
}

/** Gets a page, or the reason why that failed. */
const ask = (address: string, sent: Readonly<Record<string, string>> = {}) =>
  fetch(address, { headers: sent, redirect: 'manual', signal: AbortSignal.timeout(10_000) })
    .then(async (reply) => {
      const { status, headers } = reply;
      return { status, headers, body: await reply.text() };
    })
    .catch((error: unknown) => ({ cause: (error as Error).cause ?? error }));
