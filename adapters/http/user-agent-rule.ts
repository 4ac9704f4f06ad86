import type { Connection } from '#core/connections/index';

type Target = Pick<Connection, 'id' | 'baseAddress'>;

interface Rule {
  id: number;
  condition: {
    initiatorDomains: string[];
    requestDomains: string[];
    urlFilter: string;
    isUrlFilterCaseSensitive: boolean;
    resourceTypes: 'xmlhttprequest'[];
  };
  action: {
    type: 'modifyHeaders';
    requestHeaders: { header: string; operation: 'set'; value: string }[];
  };
}

/** The part of Chromium's `declarativeNetRequest` that is used here. */
export interface SessionRules {
  getSessionRules(): Promise<readonly { id: number }[]>;
  updateSessionRules(change: { removeRuleIds: number[]; addRules: Rule[] }): Promise<void>;
}

export interface UserAgentRules {
  /**
   * Sets the plain User-Agent for exactly these connections, until the browser closes. Returns false if the browser did
   * not accept the rules.
   */
  apply(connections: readonly Target[]): Promise<boolean>;
  /**
   * Runs a task while requests below one connection's base address have the plain User-Agent. If the browser does not
   * accept the rule, returns undefined without running the task.
   */
  during<T>(connection: Target, task: () => Promise<T>): Promise<T | undefined>;
}

/** Does nothing, for browsers in which `fetch` sets the header itself (Firefox). */
export const noUserAgentRules: UserAgentRules = {
  apply: () => Promise.resolve(true),
  during: (_, task) => task(),
};

/**
 * Sets a plain User-Agent for chosen base addresses, only in this extension's own requests. `fetch` cannot set that
 * header in Chromium; a session rule can, without a permission beyond the granted origin.
 */
export function createUserAgentRules(
  apis: { readonly declarativeNetRequest: SessionRules },
  extensionId: string,
  userAgent: string,
): UserAgentRules {
  let last: Promise<boolean> = Promise.resolve(true);
  let permanent: readonly Target[] = [];
  const temporary = new Set<Target>();

  const ruleFor = ({ id, baseAddress }: Target): Rule => ({
    id: ruleId(id),
    condition: {
      initiatorDomains: [extensionId],
      requestDomains: [new URL(baseAddress).hostname],
      urlFilter: `|${baseAddress}/api/`,
      isUrlFilterCaseSensitive: true,
      resourceTypes: ['xmlhttprequest'],
    },
    action: {
      type: 'modifyHeaders',
      requestHeaders: [{ header: 'user-agent', operation: 'set', value: userAgent }],
    },
  });

  /** Applies one change at a time. Each writes the whole set, so the latest must win. */
  const update = (): Promise<boolean> => {
    const change = async (): Promise<boolean> => {
      const api = apis.declarativeNetRequest;
      const present = await api.getSessionRules();
      const wanted = new Map(
        [...temporary, ...permanent].map((target) => [ruleId(target.id), ruleFor(target)]),
      );
      await api.updateSessionRules({
        removeRuleIds: present.map(({ id }) => id),
        addRules: [...wanted.values()],
      });
      return true;
    };
    last = last.then(change).catch(() => false);
    return last;
  };

  return {
    apply(connections) {
      permanent = connections;
      return update();
    },
    async during(connection, task) {
      // A copy for each task: two tasks of one connection may overlap, and the first to end must not remove the other's
      // rule.
      const target = { ...connection };
      temporary.add(target);
      try {
        return (await update()) ? await task() : undefined;
      } finally {
        temporary.delete(target);
        await update();
      }
    },
  };
}

/**
 * Returns 30 bits of FNV-1a over the connection's id, because a rule's id must be a number and the same at every start.
 */
export function ruleId(connectionId: string): number {
  let hash = 0x811c9dc5;
  for (const character of connectionId) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 2) + 1;
}
