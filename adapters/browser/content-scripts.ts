import { delay } from '#core/time/index';
import type { FrameState, StepHandle, StepState } from '#core/chips/index';

/** The part of the browser's `scripting` that is used here. */
interface ScriptingApi {
  getRegisteredContentScripts(filter: {
    ids: string[];
  }): Promise<readonly { readonly matches?: readonly string[] | undefined }[]>;
  registerContentScripts(scripts: Registration[]): Promise<void>;
  updateContentScripts(scripts: Registration[]): Promise<void>;
  unregisterContentScripts(filter: { ids: string[] }): Promise<void>;
  executeScript<A extends unknown[]>(
    injection: {
      target: { tabId: number; frameIds: number[] } | { tabId: number; allFrames: true };
      injectImmediately?: true;
    } & ({ files: ScriptFile[] } | { func: (...args: A) => unknown; args?: A }),
  ): Promise<readonly { readonly frameId: number; readonly result?: unknown }[]>;
}

type ScriptFile = typeof ticketScript | (typeof laterScripts)[LaterScript];

/** A script that is injected when its document needs it: the view of the chips, then the code finder. */
export type LaterScript = keyof typeof laterScripts;

interface Registration {
  readonly id: string;
  readonly js: string[];
  readonly matches: string[];
  readonly allFrames: boolean;
  readonly matchOriginAsFallback: boolean;
  readonly runAt: 'document_idle';
  readonly persistAcrossSessions: boolean;
}

/** The part of the browser's `tabs` that is used here. */
interface TabsApi {
  query(filter: { url?: string }): Promise<readonly { readonly id?: number | undefined }[]>;
  sendMessage(
    tabId: number,
    message: unknown,
    options?: { documentId: string } | { frameId: number },
  ): Promise<unknown>;
}

/** Controls where the ticket script runs, and sends messages to it. */
export interface ContentScripts {
  /** Registers the ticket script for exactly the pages of these match patterns. */
  runOn(patterns: readonly string[]): Promise<void>;
  /**
   * Injects the ticket script into open pages of a pattern; a page that is still loading gets it when it has loaded.
   */
  startIn(pattern: string): Promise<void>;
  /** Injects a script into one document; returns false if the document is gone or no longer permitted. */
  add(script: LaterScript, tabId: number, frameId: number): Promise<boolean>;
  /** Returns the step state of each document of a tab in which the ticket script runs. */
  lookForCodes(tabId: number): Promise<FrameState[]>;
  /** Moves the focus to the chip of a code in one document. */
  goToCode(tabId: number, frameId: number, index: number): Promise<void>;
  /**
   * Sends a message to the script in one document, or to all scripts; a missing document is ignored. Waits two seconds
   * at most, since a page that shows a dialog receives its message only afterwards.
   */
  send(message: unknown, document?: TargetDocument): Promise<void>;
}

export interface TargetDocument {
  readonly tabId: number;
  readonly frameId: number;
  readonly documentId?: string | undefined;
}

/** The ticket script's global in its isolated world. */
type TicketWorld = typeof globalThis & { counterfoilChips?: StepHandle };

// The browser runs these two functions in the page, so they cannot use anything from this module.
const readStepState = (): StepState | undefined =>
  (globalThis as TicketWorld).counterfoilChips?.stepState();
const focusCode = (index: number): void => {
  (globalThis as TicketWorld).counterfoilChips?.focusCode(index);
};

const id = 'ticket';
const ticketScript = '/ticket.js';
const laterScripts = { view: '/ticket-view.js', finder: '/ticket-codes.js' } as const;
/** How long to wait for pages, in milliseconds, so that no page can block the worker. */
const maxWaitMs = 2000;

export function createContentScripts(apis: {
  readonly scripting: ScriptingApi;
  readonly tabs: TabsApi;
}): ContentScripts {
  const settled = async (tasks: readonly Promise<unknown>[]): Promise<void> => {
    await Promise.race([Promise.allSettled(tasks), delay(maxWaitMs)]);
  };
  const inTabs = async (
    filter: { url?: string },
    task: (tabId: number) => Promise<unknown>,
  ): Promise<void> =>
    settled(
      (await apis.tabs.query(filter)).flatMap(({ id: tabId }) =>
        tabId === undefined ? [] : task(tabId),
      ),
    );
  return {
    async runOn(patterns) {
      const [present] = await apis.scripting.getRegisteredContentScripts({ ids: [id] });
      if (patterns.length === 0) {
        if (present !== undefined) await apis.scripting.unregisterContentScripts({ ids: [id] });
        return;
      }
      const wanted: Registration = {
        id,
        js: [ticketScript],
        matches: [...patterns],
        allFrames: true,
        // Mails are shown in frames without their own address.
        matchOriginAsFallback: true,
        runAt: 'document_idle',
        persistAcrossSessions: true,
      };
      if (present === undefined) await apis.scripting.registerContentScripts([wanted]);
      else if (new Set(present.matches).symmetricDifference(new Set(patterns)).size > 0)
        await apis.scripting.updateContentScripts([wanted]);
    },

    startIn: (pattern) =>
      inTabs({ url: pattern }, (tabId) =>
        apis.scripting.executeScript({ target: { tabId, allFrames: true }, files: [ticketScript] }),
      ),

    add: (script, tabId, frameId) =>
      apis.scripting
        .executeScript({ target: { tabId, frameIds: [frameId] }, files: [laterScripts[script]] })
        .then(
          () => true,
          () => false,
        ),

    async lookForCodes(tabId) {
      const results = await apis.scripting
        // Otherwise the browser waits for every frame to load, and one may never finish.
        .executeScript({
          target: { tabId, allFrames: true },
          func: readStepState,
          injectImmediately: true,
        })
        .catch(() => []);
      return results.flatMap(({ frameId, result }) =>
        result ? { frameId, ...(result as StepState) } : [],
      );
    },

    goToCode: (tabId, frameId, index) =>
      settled([
        apis.scripting.executeScript({
          target: { tabId, frameIds: [frameId] },
          func: focusCode,
          args: [index],
        }),
      ]),

    send(message, document) {
      if (document === undefined)
        return inTabs({}, (tabId) => apis.tabs.sendMessage(tabId, message));
      const { tabId, frameId, documentId } = document;
      const target = documentId === undefined ? { frameId } : { documentId };
      return settled([apis.tabs.sendMessage(tabId, message, target)]);
    },
  };
}
