import type { AdministrationContext } from '#background/dependencies';
import { bindingOf } from '#background/seller/index';
import type { PendingJoin } from '#background/team/joining';
import { noEntries } from '#core/settings-import/index';
import { fail, omitUndefined, type Result, succeed } from '#core/result';
import { isThroughRelay } from '#core/connections/index';
import type { JoinedTeam, TeamFault } from '#core/team/index';

/** Stores the agent's token for the team's relay, as the key of each connection through the relay. */
export interface TeamToken {
  readonly findJoined: () => Promise<JoinedTeam | undefined>;
  readonly readToken: (joined: JoinedTeam) => Promise<Result<string, TeamFault>>;
  /** Gives the token to each connection through the relay. */
  readonly handOutToken: (relay: string, token: string) => Promise<Result<undefined, TeamFault>>;
  /**
   * Exchanges the one-time code of a sign-in for a token, and stores it with the team. The previous token is revoked.
   * @param isWanted returns false if the sign-in was cancelled in the meantime
   */
  readonly redeem: (
    join: PendingJoin,
    code: string,
    isWanted: () => Promise<boolean>,
  ) => Promise<Result<undefined, TeamFault>>;
}

export function createTeamToken({
  connectionStore,
  secrets,
  sessionCache,
  relayHttp,
  team,
}: AdministrationContext): TeamToken {
  const findJoined = async (): Promise<JoinedTeam | undefined> => (await team.read())?.joined;

  async function readToken({ id, relay }: JoinedTeam): Promise<Result<string, TeamFault>> {
    const token = await secrets.read({ connectionId: id, baseAddress: relay });
    if (token.ok) return token;
    return token.fault.kind === 'locked'
      ? fail({ kind: 'locked' })
      : fail({ kind: 'relay-sign-in', reason: 'unknown' });
  }

  async function handOutToken(relay: string, token: string): Promise<Result<undefined, TeamFault>> {
    for (const connection of await connectionStore.read()) {
      if (connection.throughRelay !== true || !isThroughRelay(connection.baseAddress, relay))
        continue;
      const written = await secrets.write(bindingOf(connection), token);
      if (!written.ok) return written;
      await sessionCache.forget(connection.id);
    }
    return succeed(undefined);
  }

  const redeem: TeamToken['redeem'] = async (join, code, isWanted) => {
    const { relay, name, settingsKey, verifier } = join;
    const given = await relayHttp.token(relay, code, verifier);
    if (!given.ok) return given;
    const { token, email } = given.value;
    const before = await findJoined();
    const joined = omitUndefined({
      id: crypto.randomUUID(),
      version: 0,
      added: noEntries,
      settingsKey,
      ...before,
      relay,
      name,
      email,
    });
    const binding = { connectionId: joined.id, baseAddress: relay };
    const former = await secrets.read(binding);
    const write = async (): Promise<
      Result<void, { readonly kind: 'not-joined' | 'storage-full' }>
    > => ((await isWanted()) ? team.write({ joined }) : fail({ kind: 'not-joined' }));
    const stored = await secrets.writeWith(binding, token, write);
    const handed = stored.ok ? await handOutToken(relay, token) : stored;
    // A token that could not be stored is revoked; the previous one is revoked once every connection has the new one.
    const useless = stored.ok ? handed.ok && former.ok && former.value : token;
    if (useless !== false) await relayHttp.revoke(relay, useless);
    return handed;
  };

  return { findJoined, readToken, handOutToken, redeem };
}
