import type { Connection } from '#core/connections/connection';

type Place = Pick<Connection, 'id' | 'baseAddress'>;

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

/** Chromium's `declarativeNetRequest`, as far as it is used. */
export interface SessionRules {
  getSessionRules(): Promise<readonly { id: number }[]>;
  updateSessionRules(change: { removeRuleIds: number[]; addRules: Rule[] }): Promise<void>;
}

export interface UserAgentRules {
  /** Makes the plain User-Agent hold for these connections and no others. The rules live until the browser closes. */
  apply(connections: readonly Place[]): Promise<void>;
  /** Runs a task while requests below one connection's base address carry the plain User-Agent. */
  during<T>(connection: Place, task: () => Promise<T>): Promise<T>;
}

/** Where `fetch` sets the header itself (Firefox), no rule is needed. */
export const noUserAgentRules: UserAgentRules = {
  apply: () => Promise.resolve(),
  during: (_, task) => task(),
};

/**
 * A plain User-Agent for chosen base addresses, for this extension's own requests alone.
 * `fetch` cannot set that header in Chromium; a session rule can, without a permission beyond the granted origin.
 */
export function createUserAgentRules(
  api: SessionRules,
  extensionId: string,
  userAgent: string,
): UserAgentRules {
  let last: Promise<unknown> = Promise.resolve();
  let lasting: readonly Place[] = [];
  const passing = new Set<Place>();

  const ruleFor = ({ id, baseAddress }: Place): Rule => ({
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

  /** One change at a time: each states the whole set, so a change that came later must win. */
  const update = (): Promise<void> => {
    const change = last.then(async () => {
      const present = await api.getSessionRules();
      const wanted = new Map(
        [...passing, ...lasting].map((place) => [ruleId(place.id), ruleFor(place)]),
      );
      await api.updateSessionRules({
        removeRuleIds: present.map(({ id }) => id),
        addRules: [...wanted.values()],
      });
    });
    last = change.catch(() => undefined);
    return change;
  };

  return {
    apply(connections) {
      lasting = connections;
      return update();
    },
    async during(connection, task) {
      passing.add(connection);
      try {
        await update();
        return await task();
      } finally {
        passing.delete(connection);
        await update();
      }
    },
  };
}

/** A rule's id must be a number: 30 bits of FNV-1a over the connection's id, the same at every start. */
export function ruleId(connectionId: string): number {
  let hash = 0x811c9dc5;
  for (const character of connectionId) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 2) + 1;
}
