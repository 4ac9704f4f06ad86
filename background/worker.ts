import type { Administration, FirstScript } from '#background/administration';
import { createCheckFeature } from '#background/check/check-handlers';
import { createConnectionsFeature } from '#background/connections/connections-handlers';
import type { AlarmName, WorkerContext, WorkerDependencies } from '#background/dependencies';
import { demandKeyStorage } from '#background/policy/key-storage-demand';
import { policyText } from '#background/policy/policy-text';
import { createSellerFeature } from '#background/seller/index';
import { createSerialQueue, inOrder } from '#background/serial-queue';
import { createPendingJoins } from '#background/team/joining';
import { createTicketFeature } from '#background/ticket/ticket-handlers';
import type { ChosenLink } from '#background/ticket/menus';
import { readersFrom } from '#core/marketplaces/asking';
import { checkingRules, type Handlers } from '#messaging/index';

type CheckingTopic = keyof typeof checkingRules;

/** The handlers that the entry file binds to the browser's events. Creating them has no side effects. */
export interface Worker {
  readonly rules: typeof checkingRules;
  readonly handlers: Pick<Handlers, CheckingTopic>;
  /**
   * Loads the second script when it is first needed; undefined if that fails. The script then finishes what is overdue.
   */
  readonly loadAdministration: () => Administration | undefined;
  readonly alarmHandlers: Readonly<Record<AlarmName, () => Promise<void>>>;
  /** Opens the file behind a link of an allowed help desk in the verifier. */
  inspectLink(link: ChosenLink): Promise<void>;
  /**
   * Applies the User-Agent rules, and everything else that must be in force before a page is open. Call it soon after
   * every start.
   */
  start(): Promise<void>;
  /** Call it when the browser was started, or the extension installed or updated. */
  tidy(): Promise<void>;
  tabMoved(tab: { readonly id: number; readonly url: string }): Promise<void>;
  policyChanged(): Promise<void>;
  /** Call it when the browser granted or removed an origin. */
  permissionsChanged(): Promise<void>;
}

/** A further script cannot be loaded: the installation is damaged. */
class PartMissing extends Error {
  override readonly name = 'PartMissing';
}

function requirePart<T>(part: T | undefined): T {
  if (part === undefined) throw new PartMissing();
  return part;
}

/**
 * Composes the worker's first script: what each start, check and ticket needs.
 * @param load returns the second script, which is built on the first; undefined if it cannot be loaded
 */
export function createWorker(
  dependencies: WorkerDependencies,
  load: (first: FirstScript) => Administration | undefined,
): Worker {
  const { policy, sessionArea, joinTabs, report } = dependencies;
  const context: WorkerContext = {
    ...dependencies,
    secrets: demandKeyStorage(dependencies.secrets, async () => (await policy.read()).keyStorage),
    runExclusive: createSerialQueue(),
    readers: readersFrom(() => requirePart(dependencies.loadReaders())),
  };
  const joins = createPendingJoins(sessionArea);
  const seller = createSellerFeature(context);
  const check = createCheckFeature(context, {
    seller,
    onReport: (report) => ticket.showReport(report),
  });
  const connections = createConnectionsFeature(context, () => {
    report(whileJoining(({ signIn }) => signIn.keysChanged()));
  });
  const ticket = createTicketFeature(context, { connections, check });
  const first = { context, ownSecrets: dependencies.secrets, connections, seller, check, ticket };

  let loaded: Administration | undefined;
  function loadAdministration(): Administration | undefined {
    if (loaded !== undefined) return loaded;
    loaded = load(first);
    if (loaded !== undefined) report(loaded.start());
    return loaded;
  }

  function administration(): Administration {
    return requirePart(loadAdministration());
  }

  async function whileJoining(task: (second: Administration) => Promise<void>): Promise<void> {
    if ((await joins.read()) !== undefined) await task(administration());
  }

  // A page's request for the policy's state waits in the same queue, so it gets the state after the policy is applied.
  const applyPolicyIfDue = (): Promise<void> =>
    context.runExclusive('policy', async () => {
      const text = await policyText(context);
      if (text.isDue) await administration().applyPolicyText(text);
    });

  const alarmHandlerOf = (name: keyof Administration['alarmHandlers']) => async (): Promise<void> =>
    administration().alarmHandlers[name]();

  return {
    rules: checkingRules,
    handlers: { ...check.handlers, ...connections.handlers, ...ticket.handlers },
    loadAdministration,
    alarmHandlers: {
      ...check.alarmHandlers,
      bulk: alarmHandlerOf('bulk'),
      'finalise-authorities': alarmHandlerOf('finalise-authorities'),
      'finalise-deletions': alarmHandlerOf('finalise-deletions'),
      'finalise-jobs': alarmHandlerOf('finalise-jobs'),
      lock: () => connections.locking.lockIfDue(),
    },
    inspectLink: async (link) => administration().inspectLink(link),
    tabMoved: (tab) => whileJoining(({ signIn }) => signIn.tabMoved(tab)),
    policyChanged: applyPolicyIfDue,
    // A policy that cannot be stored does not prevent the rest from starting.
    async start() {
      await Promise.all([
        applyPolicyIfDue(),
        inOrder([
          async () => void (await seller.rulesReady()),
          () => connections.locking.lockIfDue(),
          () => ticket.sites.reconcile(),
          () => check.start(),
          // A sign-in may be in progress from before the worker was stopped.
          async () => {
            if ((await joins.read()) === undefined) joinTabs.unwatch();
          },
        ]),
      ]);
    },
    tidy: async () => administration().tidy(),
    async permissionsChanged() {
      await seller.applyRules();
      await ticket.sites.permissionsChanged();
    },
  };
}
