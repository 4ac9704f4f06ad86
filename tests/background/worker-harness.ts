import 'fake-indexeddb/auto';

import { createStore } from 'idb-keyval';

import { createAuthorityHttp } from '#adapters/http/authority-http';
import { createAuthorityStore } from '#adapters/storage/worker/authority-store';
import { createConnectionStore, createSiteStore } from '#adapters/storage/worker/connection-store';
import { createEraser } from '#adapters/storage/worker/eraser';
import {
  type HistoryStore,
  createHistoryStore,
  createPageHistory,
} from '#adapters/storage/history-store';
import { type ItemCache, createItemCache, createPageItems } from '#adapters/storage/item-cache';
import {
  type JobStore,
  type PageJobs,
  createJobStore,
  createPageJobs,
} from '#adapters/storage/job-store';
import type { ContentScripts, TargetDocument } from '#adapters/browser/content-scripts';
import type { LinkDocument, LinkedFiles } from '#adapters/browser/linked-files';
import type { Permissions } from '#adapters/browser/permissions';
import { createSecretStore } from '#adapters/secrets/secret-store';
import { secretKeys } from '#adapters/secrets/secret-record';
import { createWrappingKeys } from '#adapters/secrets/wrapping-keys';
import { createRelayHttp } from '#adapters/http/relay-http';
import { createSellerHttp } from '#adapters/http/http-exchange';
import { type PendingText, createPendingTexts } from '#adapters/storage/handoffs';
import { createSessionCache } from '#adapters/storage/session-cache';
import { createPreferenceSetting } from '#adapters/storage/preference-setting';
import type { AskedContent } from '#adapters/browser/waiting-files';
import { createPolicyStore } from '#adapters/storage/policy-store';
import { createReplyTemplateStore } from '#adapters/storage/reply-templates';
import { forgetKeptAnswers } from '#adapters/storage/index';
import { changeLists, rememberList } from '#adapters/storage/record-list';
import { rememberedAreas } from '#adapters/storage/worker/read-once';
import { createTeamStore } from '#adapters/storage/worker/team-store';
import { createUnreadableRecords } from '#adapters/storage/worker/unreadable-records';
import { type Tables, createTables } from '#adapters/storage/tables';
import type { UserAgentRules } from '#adapters/http/user-agent-rule';
import { laterReaders } from '#core/marketplaces/asking';
import { createAdministration } from '#background/administration';
import type {
  AdministrationDependencies,
  AlarmName,
  WorkerDependencies,
} from '#background/dependencies';
import { type Worker, createWorker } from '#background/worker';
import type { HistoryPort } from '#core/history/index';
import type { ItemsPort } from '#core/items/index';
import { type ConnectionState, defaultDialect } from '#core/connections/index';
import { fail } from '#core/result';
import type { checkingRules } from '#messaging/index';
import type { Asker, Handlers } from '#messaging/serve';
import type { Body, Reply, TopicName } from '#messaging/protocol';
import type { Base } from '#sandbox/seller/deployments';
import type { FaultRequest } from '#sandbox/seller/faults';
import type { ReceivedRequest } from '#sandbox/seller/request-log';
import { type Sandbox, startSandbox } from '#sandbox/server';
import { type MemoryArea, createMemoryArea } from '#tests/adapters/memory-area';
import type { JobUpdate } from '#core/jobs/index';

const browserAgent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0 Safari/537.36';

export interface WorkerHarness {
  readonly sandbox: Sandbox;
  readonly local: MemoryArea;
  readonly session: MemoryArea;
  /** Origin patterns the browser allows. */
  readonly granted: Set<string>;
  readonly alarms: Map<AlarmName, number>;
  readonly items: ItemCache & ItemsPort;
  readonly jobs: JobStore & PageJobs;
  readonly history: HistoryStore & HistoryPort;
  /** What open pages were told of bulk checks, the oldest first. */
  readonly news: readonly JobUpdate[];
  /** Base addresses whose requests carry a plain User-Agent by a lasting rule. */
  readonly ruled: () => readonly string[];
  /** The browser takes none of the next changes of its User-Agent rules. */
  readonly failRules: (times: number) => void;
  /** As the popup asks, unless told. */
  readonly ask: <T extends TopicName>(
    topic: T,
    body: Body<T>,
    nonce?: string,
    asker?: Asker,
  ) => Promise<Reply<T>>;
  /** Asks the first script alone, as the popup does. */
  readonly askFirst: <T extends keyof typeof checkingRules>(
    topic: T,
    body: Body<T>,
  ) => Promise<Reply<T>>;
  /** What became of the ticket script, and what was opened beside the page, the oldest first. */
  readonly ticket: TicketRecord;
  /** Failures of tasks that no event waits for, the oldest first. */
  readonly reported: readonly unknown[];
  /** As after an update of the extension. */
  readonly tidy: () => Promise<void>;
  readonly joinTabs: JoinTabsRecord;
  /** Sets what the browser holds as the policy of this extension, and tells the worker. An error: it does not say. */
  readonly setPolicy: (settings: unknown) => Promise<void>;
  /** Sets the policy while no worker hears of it. */
  readonly changePolicy: (settings: unknown) => void;
  /** The browser says so many times that there is no policy. */
  readonly hidePolicy: (times: number) => void;
  /** A tab shows another address. */
  readonly tabMoved: Worker['tabMoved'];
  /** Adds a connection to one base address of the sandbox, with its key. */
  readonly connect: (
    base: Base,
    draft?: Partial<Body<'connections.save'>>,
  ) => Promise<ConnectionState>;
  /** Chooses a link in the context menu. */
  readonly inspectLink: Worker['inspectLink'];
  readonly pass: (milliseconds: number) => void;
  /** For how long the worker waited before it answered, in milliseconds; nobody waits for it here. */
  readonly pauses: readonly number[];
  /** Rings what is due. */
  readonly runAlarms: () => Promise<void>;
  /** Does what the worker does soon after an event has started it. */
  readonly start: () => Promise<void>;
  /** The worker is stopped and started again, and the second script is loaded, which finishes what is overdue. */
  readonly restart: () => Promise<void>;
  /** The worker is stopped and started again; nothing asks for the second script yet. */
  readonly wake: () => Promise<void>;
  /** How often the second script was loaded. */
  readonly loads: () => number;
  /** The script of readers is missing from the installation. */
  readonly loseReaders: () => void;
  /** The browser granted an origin or took it away. */
  readonly permissionsChanged: () => Promise<void>;
  readonly closeBrowser: () => Promise<void>;
  /** IndexedDB as after the site's data was cleared, of the wrapping keys alone. */
  readonly loseWrappingKeys: () => Promise<void>;
  /** Fills the disk, or makes room on it: lists, jobs and history can be stored no more. */
  readonly setDiskFull: (isFull: boolean) => void;
  /** Requests to the seller APIs since the last time this was asked. */
  readonly requests: () => Promise<readonly ReceivedRequest[]>;
  readonly injectFault: (fault: FaultRequest) => Promise<void>;
  /** Ends the injected faults, and so those that no request has met. */
  readonly clearFaults: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Records which join pages were opened, the first in tab 1, and whether tabs are watched. */
export interface JoinTabsRecord {
  readonly opened: string[];
  watched: boolean;
  /** Happens while the browser opens a tab. */
  whileOpening: () => Promise<void>;
}

export interface TicketRecord {
  /** Addresses of the tabs in front, by their ids. */
  readonly inFront: Map<number, string>;
  /** The replies that were put into tickets, with the addresses of those. */
  readonly inserted: (readonly [text: string, address: string])[];
  /** Match patterns in which the script starts by itself. */
  runsOn: readonly string[];
  /** Match patterns on which links are offered for the verifier. */
  offersLinksOn: readonly string[];
  /** What a linked file holds, or why it is not fetched. */
  linked: Awaited<ReturnType<LinkedFiles['fetch']>>;
  readonly fetched: { readonly address: string; readonly document: LinkDocument }[];
  readonly inVerifier: AskedContent[];
  /** Where it was started in pages that were open already. */
  readonly started: string[];
  /** Happens when the script is to be started in open pages. */
  whileStarting: () => Promise<void>;
  readonly views: { readonly tabId: number; readonly frameId: number }[];
  readonly sent: { readonly message: unknown; readonly document: TargetDocument | undefined }[];
  /** Windows in which the panel was opened. */
  readonly opened: number[];
  readonly arrived: () => Promise<PendingText | undefined>;
}

/** Starts the whole worker over the real sandbox, with the browser's parts in memory. */
export async function createWorkerHarness(
  name: string = crypto.randomUUID(),
): Promise<WorkerHarness> {
  const sandbox = await startSandbox({ port: 0, db: ':memory:' });
  const disk = createTables(name);
  let isDiskFull = false;
  const tables: Tables = {
    ...disk,
    write: (names, task) =>
      isDiskFull ? Promise.resolve(fail({ kind: 'storage-full' })) : disk.write(names, task),
  };
  const local = createMemoryArea();
  const session = createMemoryArea();
  const wrappingKeys = createWrappingKeys(createStore(`${name}-keys`, 'wrapping'));
  const connections = createConnectionStore(tables);
  const granted = new Set(['http://127.0.0.1/*', 'http://localhost/*']);
  const alarms = new Map<AlarmName, number>();
  const items = { ...createItemCache(tables), ...createPageItems(tables) };
  const jobs = { ...createJobStore(tables), ...createPageJobs(tables) };
  const history = { ...createHistoryStore(tables), ...createPageHistory(tables) };
  const news: JobUpdate[] = [];
  const pauses: number[] = [];
  const sites = createSiteStore(tables);
  const pendingTexts = createPendingTexts({
    ...session,
    onChanged: { addListener: () => undefined },
  });
  const ticket: TicketRecord = {
    runsOn: [],
    offersLinksOn: [],
    linked: fail('failed'),
    inFront: new Map(),
    inserted: [],
    fetched: [],
    inVerifier: [],
    started: [],
    whileStarting: () => Promise.resolve(),
    views: [],
    sent: [],
    opened: [],
    arrived: async () =>
      (await session.get('pendingText'))['pendingText'] as PendingText | undefined,
  };
  const scripts: ContentScripts = {
    runOn: (patterns) => {
      ticket.runsOn = patterns;
      return Promise.resolve();
    },
    startIn: (pattern) => {
      ticket.started.push(pattern);
      return ticket.whileStarting();
    },
    add: (script, tabId, frameId) => {
      if (script === 'view') ticket.views.push({ tabId, frameId });
      return Promise.resolve(true);
    },
    lookForCodes: () => Promise.resolve([]),
    goToCode: () => Promise.resolve(),
    send: (message, document) => {
      ticket.sent.push({ message, document });
      return Promise.resolve();
    },
  };
  const reported: unknown[] = [];
  const policy: { settings: unknown; hidden: number } = { settings: undefined, hidden: 0 };
  const joinTabs: JoinTabsRecord = {
    opened: [],
    watched: true,
    whileOpening: () => Promise.resolve(),
  };
  let ruled: readonly string[] = [];
  let failedRules = 0;
  let passing: string | undefined;
  let loads = 0;
  let hasReaders = true;
  let ahead = 0;
  const now = (): number => Date.now() + ahead;

  const permissions: Permissions = {
    has: (pattern) => Promise.resolve(granted.has(pattern)),
    request: (pattern) => Promise.resolve(granted.has(pattern)),
    giveUp: (pattern) => Promise.resolve(granted.delete(pattern)),
    giveUpAll: () => {
      granted.clear();
      return Promise.resolve();
    },
    onChange: () => undefined,
  };
  const rules: UserAgentRules = {
    apply: (connections) => {
      if (failedRules > 0) {
        failedRules -= 1;
        return Promise.resolve(false);
      }
      ruled = connections.map(({ baseAddress }) => baseAddress);
      return Promise.resolve(true);
    },
    during: async ({ baseAddress }, task) => {
      passing = baseAddress;
      return task().finally(() => (passing = undefined));
    },
  };
  const asBrowser: typeof fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const isPlain = [...ruled, passing].some((base) => base && address.startsWith(`${base}/`));
    const headers = new Headers(init?.headers);
    headers.set('User-Agent', isPlain ? 'Plain' : browserAgent);
    return fetch(input, { ...init, headers });
  };

  const network = { fetch, isOnline: () => true, now };
  const startWorker = (): { worker: Worker; start: () => Promise<void> } => {
    const store = rememberList(connections);
    const remembered = rememberedAreas({ local, session }, secretKeys);
    const first: WorkerDependencies = {
      connectionStore: store,
      secrets: createSecretStore({
        ...remembered,
        wrappingKeys,
        now,
      }),
      sessionCache: createSessionCache(remembered.session),
      sessionArea: session,
      pause: (milliseconds) => {
        pauses.push(milliseconds);
        return Promise.resolve();
      },
      managedSettings: {
        async read() {
          if (policy.settings instanceof Error) throw policy.settings;
          if ((policy.hidden -= 1) >= 0) return undefined;
          return Promise.resolve(policy.settings);
        },
      },
      policy: createPolicyStore(remembered.local),
      joinTabs: {
        open: async (url) => {
          await joinTabs.whileOpening();
          return joinTabs.opened.push(url);
        },
        watch: () => (joinTabs.watched = true),
        unwatch: () => (joinTabs.watched = false),
        showOptions: () => Promise.resolve(),
      },
      history,
      report: (task) => {
        task.catch((failure: unknown) => reported.push(failure));
      },
      loadReaders: () => (hasReaders ? laterReaders : undefined),
      sellerHttp: createSellerHttp({
        fetch: asBrowser,
        isOnline: () => true,
        now,
        setsUserAgent: false,
        retryDelays: [1, 1],
      }),
      permissions,
      userAgentRules: rules,
      sites,
      contentScripts: scripts,
      pendingTexts,
      menus: {
        offerLinksOn: (patterns) => {
          ticket.offersLinksOn = patterns;
          return Promise.resolve();
        },
      },
      panel: {
        open: (windowId) => {
          ticket.opened.push(windowId);
          return Promise.resolve();
        },
      },
      browserMessages: (key) => (key === '@@ui_locale' ? 'en_GB' : key),
      scheduleAlarm: (alarm, moment) => {
        alarms.set(alarm, moment);
        return Promise.resolve();
      },
      ensureAlarm: (alarm, moment) => {
        alarms.set(alarm, Math.min(alarms.get(alarm) ?? Infinity, moment));
        return Promise.resolve();
      },
      now,
    };
    const second: AdministrationDependencies = {
      authorities: createAuthorityStore(tables),
      changeLists: (edits) => changeLists(tables, edits),
      authorityHttp: (address) => createAuthorityHttp(address, network),
      unreadableRecords: (secrets) => createUnreadableRecords(tables, local, secrets),
      storedSettings: {
        preferences: createPreferenceSetting(local),
        'reply-templates': createReplyTemplateStore(local),
      },
      team: createTeamStore(local),
      relayHttp: createRelayHttp(network),
      items,
      jobs,
      replyFields: {
        addressInFront: (tabId) => Promise.resolve(ticket.inFront.get(tabId)),
        insert: (text, { address }) => {
          ticket.inserted.push([text, address]);
          return Promise.resolve('inserted');
        },
      },
      linkedFiles: {
        fetch: (address, document) => {
          ticket.fetched.push({ address, document });
          return Promise.resolve(ticket.linked);
        },
      },
      openInVerifier: (content) => {
        ticket.inVerifier.push(content);
        return Promise.resolve();
      },
      forgetKeptAnswers: () => forgetKeptAnswers(session),
      eraser: createEraser(remembered, [store]),
      publishErasure: () => undefined,
      publishProgress: (update) => news.push(update),
      tryWithLock: (_, task) => task(),
    };
    let started: Promise<void> | undefined;
    const worker = createWorker(first, (parts) => {
      loads += 1;
      const administration = createAdministration(parts, second);
      return { ...administration, start: () => (started = administration.start()) };
    });
    return {
      worker,
      start: async () => {
        await worker.start();
        if (worker.loadAdministration() === undefined) throw new Error('It was not loaded.');
        await started;
      },
    };
  };

  const control = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${sandbox.origin}/control/${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${sandbox.controlToken}`,
        'content-type': 'application/json',
      },
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };

  let { worker, start } = startWorker();
  await start();
  const restart = async (): Promise<void> => {
    ({ worker, start } = startWorker());
    await start();
  };
  const ask: WorkerHarness['ask'] = (
    topic,
    body,
    nonce = crypto.randomUUID(),
    asker = { name: 'popup' },
  ) => {
    const handlers = { ...worker.handlers, ...worker.loadAdministration()?.handlers } as Handlers;
    return handlers[topic](body, nonce, asker);
  };

  return {
    sandbox,
    local,
    session,
    granted,
    alarms,
    items,
    jobs,
    history,
    news,
    pauses,
    ruled: () => ruled,
    failRules: (times) => {
      failedRules = times;
    },
    ask,
    askFirst: (topic, body) => worker.handlers[topic](body, crypto.randomUUID(), { name: 'popup' }),
    reported,
    ticket,
    connect: async (base, draft) => {
      const saved = await ask('connections.save', {
        name: base,
        baseAddress: sandbox.origin + base,
        apiKey: sandbox.keys[base],
        dialect: defaultDialect,
        ...draft,
      });
      if (!saved.ok) throw new Error(saved.fault.kind);
      return saved.value;
    },
    inspectLink: (link) => worker.inspectLink(link),
    tidy: () => worker.tidy(),
    joinTabs,
    setPolicy: (settings) => {
      policy.settings = settings;
      return worker.policyChanged();
    },
    changePolicy: (settings) => {
      policy.settings = settings;
    },
    hidePolicy: (times) => {
      policy.hidden = times;
    },
    tabMoved: (tab) => worker.tabMoved(tab),
    pass: (milliseconds) => {
      ahead += milliseconds;
    },
    runAlarms: async () => {
      for (const [alarm, moment] of Array.from(alarms)) {
        if (now() < moment) continue;
        alarms.delete(alarm);
        await worker.alarmHandlers[alarm]();
      }
    },
    start: () => start(),
    restart,
    wake: () => {
      ({ worker, start } = startWorker());
      return worker.start();
    },
    loads: () => loads,
    loseReaders: () => {
      hasReaders = false;
    },
    permissionsChanged: () => worker.permissionsChanged(),
    closeBrowser: async () => {
      session.clear();
      ruled = [];
      await restart();
      await worker.tidy();
    },
    loseWrappingKeys: () => wrappingKeys.removeOthers(undefined),
    setDiskFull: (isFull) => {
      isDiskFull = isFull;
    },
    requests: async () => {
      // Read and then deleted, a request that arrives between the two would be lost.
      const taken = await control('requests', { method: 'DELETE' });
      return (taken as { requests: ReceivedRequest[] }).requests;
    },
    injectFault: async (fault) => {
      await control('faults', { method: 'POST', body: JSON.stringify(fault) });
    },
    clearFaults: async () => {
      await control('faults', { method: 'DELETE' });
    },
    close: sandbox.close,
  };
}
