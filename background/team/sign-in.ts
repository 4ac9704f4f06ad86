import type { AdministrationContext } from '#background/dependencies';
import { createPendingJoins, joinPageOf, joinResultOf, randomText } from '#background/team/joining';
import type { TeamToken } from '#background/team/team-token';
import { fail, omitUndefined, type Result } from '#core/result';
import type { TeamFault } from '#core/team/index';
import type { Body, Reply } from '#messaging/index';

interface SignInNeeds extends Pick<TeamToken, 'redeem'> {
  readonly runExclusive: (task: () => Promise<void>) => Promise<void>;
}

/** Signs in at a team's relay, on the relay's page in a tab. */
export interface SignIn {
  readonly begin: (request: Body<'team.join'>) => Promise<void>;
  /**
   * Completes a sign-in with the result that the relay wrote into the tab's address, or with the code that waits for
   * the keys. While the keys are locked the code waits, because a token could not be stored.
   */
  readonly conclude: (tab?: { readonly id: number; readonly url: string }) => Promise<void>;
  readonly end: () => Promise<void>;
  /** Returns the part that a page may see. */
  readonly seen: () => Promise<Reply<'team.state'>['signIn']>;
}

export function createSignIn(
  { sessionArea, joinTabs, secrets }: AdministrationContext,
  { redeem, runExclusive }: SignInNeeds,
): SignIn {
  const pending = createPendingJoins(sessionArea);
  return {
    async begin(request) {
      const join = { ...request, state: randomText(), verifier: randomText() };
      // A worker started by this message stops watching tabs unless it finds a sign-in.
      await pending.write(join);
      joinTabs.watch();
      const tabId = await joinTabs.open(await joinPageOf(join));
      await pending.write(omitUndefined({ ...join, tabId }));
    },

    conclude: (tab) =>
      runExclusive(async () => {
        const join = await pending.read();
        const code = join && (tab ? joinResultOf(join, tab) : join.code);
        if (!join || code === undefined) return;
        const isWanted = async (): Promise<boolean> => (await pending.read())?.state === join.state;
        if (code !== null && (await secrets.state()).locked) await pending.write({ ...join, code });
        else {
          const redeemed: Result<undefined, TeamFault> =
            code === null ? fail({ kind: 'not-joined' }) : await redeem(join, code, isWanted);
          const fault = redeemed.ok ? null : { relay: join.relay, fault: redeemed.fault };
          // After a cancel the outcome is not shown, and another sign-in may already be in progress.
          if (await isWanted()) {
            await pending.write(fault);
            joinTabs.unwatch();
          }
        }
        if (tab) await joinTabs.showOptions();
      }),

    async end() {
      await pending.write(null);
      joinTabs.unwatch();
    },

    seen: () => pending.seen(),
  };
}
