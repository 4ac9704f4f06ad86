import type { Connections } from '#background/connections/connections';
import { entriesNow, removeEntries } from '#background/connections/remove-entries';
import type { SettingsTransfer } from '#background/connections/settings-import';
import type { AdministrationContext } from '#background/dependencies';
import { createSignIn } from '#background/team/sign-in';
import { createTeamToken } from '#background/team/team-token';
import { originPattern } from '#core/address/index';
import { fail, succeed } from '#core/result';
import { isThroughRelay } from '#core/connections/index';
import type { JoinedTeam } from '#core/team/index';
import type { Handlers } from '#messaging/index';
import {
  type EntryIds,
  noEntries,
  unionOfEntries,
  withoutEntries,
} from '#core/settings-import/index';

interface TeamNeeds {
  readonly connections: Pick<Connections, 'delete'>;
  readonly settings: Pick<SettingsTransfer, 'import'>;
  /** Starts and ends ticket scripts to match the stored sites. */
  readonly sitesChanged: () => Promise<void>;
}

export interface TeamFeature {
  readonly handlers: Handlers<'team'>;
  /** Takes the one-time code from the tab of the sign-in. */
  readonly tabMoved: (tab: { readonly id: number; readonly url: string }) => Promise<void>;
  /** Continues a sign-in that waits for the keys to be unlocked. */
  readonly keysChanged: () => Promise<void>;
}

/**
 * Creates the handlers to join a team's relay, fetch its settings unparsed, and leave it. The token never leaves the
 * worker.
 */
export function createTeamFeature(context: AdministrationContext, needs: TeamNeeds): TeamFeature {
  const { connectionStore, secrets, permissions, relayHttp, team } = context;
  const { findJoined, readToken, handOutToken, redeem } = createTeamToken(context);
  const runExclusive = <T>(task: () => Promise<T>): Promise<T> =>
    context.runExclusive('team', task);

  /** Returns the team, unless its settings are signed with another key. */
  async function findSignedBy(settingsKey: string): Promise<JoinedTeam | undefined> {
    const joined = await findJoined();
    return (joined?.settingsKey ?? settingsKey) === settingsKey ? joined : undefined;
  }

  const signIn = createSignIn(context, { redeem, runExclusive });

  async function remove(gone: EntryIds): Promise<void> {
    await removeEntries(context, needs, gone);
    await secrets.remove(gone.connections);
  }

  return {
    handlers: {
      'team.state': async () => {
        const joined = await findJoined();
        const binding = joined && { connectionId: joined.id, baseAddress: joined.relay };
        return {
          joined: joined ?? null,
          signedIn: binding !== undefined && (await secrets.has(binding)),
          signIn: await signIn.seen(),
        };
      },

      'team.join': async (request) => {
        const { relay } = request;
        const joined = await findJoined();
        if (joined !== undefined && joined.relay !== relay) return fail({ kind: 'other-team' });
        if (!(await permissions.has(originPattern(relay))))
          return fail({ kind: 'not-permitted', origin: relay });
        if ((await secrets.state()).locked) return fail({ kind: 'locked' });
        await signIn.begin(request);
        return succeed(null);
      },

      'team.cancel': async () => {
        await signIn.end();
        return null;
      },

      'team.settings': async () => {
        const joined = await findJoined();
        if (joined === undefined) return succeed(null);
        const token = await readToken(joined);
        return token.ok ? relayHttp.settings(joined.relay, token.value) : token;
      },

      'team.report': async ({ month }) => {
        const joined = await findJoined();
        if (joined === undefined) return fail({ kind: 'other-team' });
        const token = await readToken(joined);
        return token.ok ? relayHttp.report(joined.relay, token.value, month) : token;
      },

      'team.apply': ({ file, settingsKey, adds, removes }) =>
        runExclusive(async () => {
          const joined = await findSignedBy(settingsKey);
          if (joined === undefined) return fail({ kind: 'other-team' });
          const token = await readToken(joined);
          if (!token.ok) return token;
          const before = await entriesNow(context);
          const imported = await needs.settings.import(file, joined.relay);
          if (!imported.ok) return imported;
          const after = await entriesNow(context);
          await remove(removes);
          const newlyAdded = { ...withoutEntries(after, before), ...adds };
          // An entry to remove stays recorded until everything is stored, so that another attempt finds it.
          const added = unionOfEntries(joined.added, newlyAdded);
          const stored = await team.write({ joined: { ...joined, added } });
          if (!stored.ok) return stored;
          if (imported.value.notStored.length > 0) return fail({ kind: 'storage-full' });
          const handed = await handOutToken(joined.relay, token.value);
          return handed.ok ? imported : handed;
        }),

      'team.finish': ({ version, settingsKey, removes }) =>
        runExclusive(async () => {
          const joined = await findSignedBy(settingsKey);
          if (joined === undefined) return fail({ kind: 'other-team' });
          const added = withoutEntries(joined.added, removes);
          const stored = await team.write({ joined: { ...joined, version, settingsKey, added } });
          return stored.ok ? succeed(null) : stored;
        }),

      'team.leave': () =>
        runExclusive(async () => {
          const joined = await findJoined();
          await signIn.end();
          if (joined === undefined) return { revoked: true };
          const token = await readToken(joined);
          const ended = token.ok && (await relayHttp.revoke(joined.relay, token.value));
          // The relay may have ended the sign-in before.
          const revoked = ended && (ended.ok || ended.fault.kind === 'relay-sign-in');
          const through = (await connectionStore.read()).flatMap(
            ({ id, baseAddress, throughRelay }) =>
              throughRelay === true && isThroughRelay(baseAddress, joined.relay) ? [id] : [],
          );
          await remove(unionOfEntries(joined.added, { ...noEntries, connections: through }));
          await secrets.remove([joined.id]);
          // The team's record is removed last, so that a worker stopped in between repeats the removal.
          await team.write({});
          await context.originPermissions.giveUpUnused([joined.relay]);
          return { revoked };
        }),
    },

    tabMoved: (tab) => signIn.conclude(tab),
    keysChanged: () => signIn.conclude(),
  };
}
