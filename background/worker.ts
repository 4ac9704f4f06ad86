import { fail } from '#core/result';
import type { ConnectionStore } from '#adapters/connection-store';
import type { Permissions } from '#adapters/permissions';
import type { SecretStore } from '#adapters/secret-store';
import type { SellerHttp } from '#adapters/seller-http';
import type { UserAgentRules } from '#adapters/user-agent-rule';
import type { Handlers } from '#messaging/serve';
import { createAccesses } from '#background/access';
import { createAccounts } from '#background/accounts';
import { createAskSeller } from '#background/asking';
import { createChecks } from '#background/checks';
import { createConnections } from '#background/connections';
import type { KeptStore } from '#background/kept';
import { createLocking } from '#background/locking';
import { createReplies } from '#background/replies';
import { createSettings } from '#background/settings';
import { createTurns } from '#background/turns';
import { createValidation } from '#background/validation';

/** The clocks the worker sets: each has one bell in `Worker.bells`. */
export type AlarmName = 'finalise-deletions' | 'lock' | 'prune-replies';

/** The outside, as the worker needs it. */
export interface Outside {
  readonly store: ConnectionStore;
  readonly secrets: SecretStore;
  readonly kept: KeptStore;
  readonly http: SellerHttp;
  readonly permissions: Permissions;
  readonly rules: UserAgentRules;
  readonly ringAt: (name: AlarmName, moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What the entry file binds to the browser's events. Making it touches nothing outside. */
export interface Worker {
  readonly handlers: Handlers;
  readonly bells: Readonly<Record<AlarmName, () => Promise<void>>>;
  /** To be called at every start: puts the User-Agent rules back and ends what is overdue. */
  start(): Promise<void>;
  /** To be called when the browser was started, or the extension installed or updated. */
  tidy(): Promise<void>;
  /** To be called when the browser granted an origin or took it away. */
  permissionsChanged(): Promise<void>;
}

export function createWorker(outside: Outside): Worker {
  const { store, secrets, kept, http, permissions, rules, now } = outside;
  const inTurn = createTurns();
  const ring = (name: AlarmName) => (moment: number) => outside.ringAt(name, moment);

  const connections = createConnections({
    ...{ store, secrets, permissions, kept, rules, inTurn, now },
    ringAt: ring('finalise-deletions'),
  });
  let rulesApplied: Promise<void> | undefined;
  /** A rule that cannot be set leaves the request as it is: the server's answer then says what is wrong. */
  const rulesReady = (): Promise<void> =>
    (rulesApplied ??= connections.applyRules().catch(() => undefined));

  const askSeller = createAskSeller({ http, kept, rules, rulesReady, inTurn, now });
  const accounts = createAccounts(askSeller, kept, now);
  const validation = createValidation({
    askSeller,
    accounts,
    prove: (connection, dialect) => connections.prove(connection, dialect),
  });
  const replies = createReplies(kept, now, ring('prune-replies'));
  const accesses = createAccesses({ connections: store, permissions, secrets, kept, now });
  const check = createChecks({ accesses, replies, validation, now });
  const locking = createLocking({ secrets, kept, ringAt: ring('lock') });
  const settings = createSettings({ store, connections, kept, inTurn });

  return {
    handlers: {
      check,
      'connections.list': () => connections.list(),
      'connections.save': (draft, nonce) => connections.save(draft, nonce),
      'connections.delete': ({ id }) => connections.delete(id),
      'connections.restore': ({ id }) => connections.restore(id),
      'connections.reorder': ({ ids }) => connections.reorder(ids),
      'connections.test': async ({ id }) => {
        const access = await accesses.gain(await accesses.find(id));
        return access.ok ? accounts.ask(access.value) : fail(access.fault);
      },
      'connections.detect': async ({ id, code }) => {
        const access = await accesses.gain(await accesses.find(id));
        return access.ok ? validation.detect(access.value, code) : fail(access.fault);
      },
      'connections.plain-user-agent': ({ id, on }) => connections.setPlainUserAgent(id, on),
      'secrets.state': () => secrets.state(),
      'secrets.set-mode': (change) => locking.setMode(change),
      'secrets.unlock': ({ passphrase }) => locking.unlock(passphrase),
      'secrets.lock': () => locking.lock(),
      'secrets.reset': () => locking.reset(),
      'settings.export': () => settings.export(),
      'settings.import': ({ file }) => settings.import(file),
    },
    bells: {
      'finalise-deletions': () => connections.finalise(),
      lock: () => locking.lockIfDue(),
      'prune-replies': () => replies.prune(),
    },
    async start() {
      await rulesReady();
      await connections.finalise();
      await locking.lockIfDue();
    },
    tidy: () => connections.tidy(),
    permissionsChanged: () => connections.applyRules(),
  };
}
