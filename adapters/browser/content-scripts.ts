/** The browser's `scripting`, as far as it is used here. */
interface ScriptingApi {
  getRegisteredContentScripts(filter: {
    ids: string[];
  }): Promise<readonly { readonly matches?: readonly string[] | undefined }[]>;
  registerContentScripts(scripts: Registration[]): Promise<void>;
  updateContentScripts(scripts: Registration[]): Promise<void>;
  unregisterContentScripts(filter: { ids: string[] }): Promise<void>;
  executeScript(injection: {
    target: { tabId: number; frameIds: number[] } | { tabId: number; allFrames: true };
    files: Stage[];
  }): Promise<unknown>;
}

type Stage = typeof firstStage | typeof secondStage;

interface Registration {
  readonly id: string;
  readonly js: string[];
  readonly matches: string[];
  readonly allFrames: boolean;
  readonly matchOriginAsFallback: boolean;
  readonly runAt: 'document_idle';
  readonly persistAcrossSessions: boolean;
}

/** The browser's `tabs`, as far as it is used here. */
interface TabsApi {
  query(filter: { url?: string }): Promise<readonly { readonly id?: number | undefined }[]>;
  sendMessage(tabId: number, message: unknown): Promise<unknown>;
}

/** Controls where the ticket script runs, and sends messages to it. */
export interface ContentScripts {
  /** Registers the first stage for pages of these match patterns, and for no others. */
  runOn(patterns: readonly string[]): Promise<void>;
  /** Injects the first stage into open pages of a pattern. */
  startIn(pattern: string): Promise<void>;
  /** Injects the second stage into one document; returns false when the document is gone or no longer permitted. */
  addView(tabId: number, frameId: number): Promise<boolean>;
  /** Sends a message to the scripts in one tab, or in all; tabs without one are skipped. */
  send(message: unknown, tabId?: number): Promise<void>;
}

const id = 'ticket';
const firstStage = '/ticket.js';
const secondStage = '/ticket-view.js';

export function createContentScripts(scripting: ScriptingApi, tabs: TabsApi): ContentScripts {
  const nothing = (): undefined => undefined;
  return {
    async runOn(patterns) {
      const [present] = await scripting.getRegisteredContentScripts({ ids: [id] });
      if (patterns.length === 0) {
        if (present !== undefined) await scripting.unregisterContentScripts({ ids: [id] });
        return;
      }
      const wanted: Registration = {
        id,
        js: [firstStage],
        matches: [...patterns],
        allFrames: true,
        // Mail is shown in frames without an address of their own.
        matchOriginAsFallback: true,
        runAt: 'document_idle',
        persistAcrossSessions: true,
      };
      if (present === undefined) await scripting.registerContentScripts([wanted]);
      else if (new Set(present.matches).symmetricDifference(new Set(patterns)).size > 0)
        await scripting.updateContentScripts([wanted]);
    },

    async startIn(pattern) {
      const open = (await tabs.query({ url: pattern })).flatMap((tab) => tab.id ?? []);
      await Promise.all(
        open.map((tabId) =>
          scripting
            .executeScript({ target: { tabId, allFrames: true }, files: [firstStage] })
            .catch(nothing),
        ),
      );
    },

    addView: (tabId, frameId) =>
      scripting
        .executeScript({ target: { tabId, frameIds: [frameId] }, files: [secondStage] })
        .then(
          () => true,
          () => false,
        ),

    async send(message, tabId) {
      const ids =
        tabId === undefined ? (await tabs.query({})).flatMap((tab) => tab.id ?? []) : [tabId];
      await Promise.all(ids.map((one) => tabs.sendMessage(one, message).catch(nothing)));
    },
  };
}
