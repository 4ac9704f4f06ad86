import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type SessionRules, createUserAgentRules, ruleId } from '#adapters/http/user-agent-rule';

type Change = Parameters<SessionRules['updateSessionRules']>[0];
type Rule = Change['addRules'][number];

/** The browser's session rules: ids are unique, and changes take their time. */
function browserRules() {
  let rules: Rule[] = [];
  const api: SessionRules = {
    getSessionRules: () => Promise.resolve(rules),
    updateSessionRules: async ({ removeRuleIds, addRules }) => {
      await Promise.resolve();
      const left = rules.filter(({ id }) => !removeRuleIds.includes(id));
      const ids = [...left, ...addRules].map(({ id }) => id);
      if (new Set(ids).size < ids.length) throw new Error('A rule id is taken.');
      rules = [...left, ...addRules];
    },
  };
  return {
    api,
    filters: () => rules.map(({ condition }) => condition.urlFilter),
    all: () => rules,
  };
}

const demo = { id: 'a1', baseAddress: 'https://api.example.com:8443/demo' };
const market = { id: 'b2', baseAddress: 'https://market.example.com' };

describe('the plain User-Agent', () => {
  it('is set for our own requests below one base address', async () => {
    const { api, all } = browserRules();
    await createUserAgentRules({ declarativeNetRequest: api }, 'our-id', 'Plain').apply([demo]);
    expect(all()).toEqual([
      {
        id: ruleId('a1'),
        condition: {
          initiatorDomains: ['our-id'],
          requestDomains: ['api.example.com'],
          urlFilter: '|https://api.example.com:8443/demo/api/',
          isUrlFilterCaseSensitive: true,
          resourceTypes: ['xmlhttprequest'],
        },
        action: {
          type: 'modifyHeaders',
          requestHeaders: [{ header: 'user-agent', operation: 'set', value: 'Plain' }],
        },
      },
    ]);
  });

  it('holds for exactly the connections named last', async () => {
    const { api, filters } = browserRules();
    const rules = createUserAgentRules({ declarativeNetRequest: api }, 'our-id', 'Plain');
    await Promise.all([rules.apply([demo]), rules.apply([demo, market]), rules.apply([market])]);
    expect(filters()).toEqual(['|https://market.example.com/api/']);
  });

  it('holds during a task beside what lasts, and ends with it', async () => {
    const { api, filters } = browserRules();
    const rules = createUserAgentRules({ declarativeNetRequest: api }, 'our-id', 'Plain');
    await rules.apply([market]);
    const during = await rules.during(demo, () => Promise.resolve(filters()));
    expect(during).toHaveLength(2);
    expect(filters()).toHaveLength(1);
    await expect(rules.during(demo, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(filters()).toHaveLength(1);
  });

  it('holds until the last of two overlapping tasks of a connection has ended', async () => {
    const { api, filters } = browserRules();
    const rules = createUserAgentRules({ declarativeNetRequest: api }, 'our-id', 'Plain');
    const first = Promise.withResolvers<unknown>();
    const second = Promise.withResolvers<unknown>();
    const both = [
      rules.during(demo, () => first.promise),
      rules.during(demo, () => second.promise),
    ];
    first.resolve(undefined);
    await both[0];
    expect(filters()).toHaveLength(1);
    second.resolve(undefined);
    await both[1];
    expect(filters()).toEqual([]);
  });

  it('goes on after a change that failed', async () => {
    const { api, filters } = browserRules();
    let fails = true;
    const rules = createUserAgentRules(
      {
        declarativeNetRequest: {
          ...api,
          updateSessionRules: (change) =>
            fails ? Promise.reject(new Error('no')) : api.updateSessionRules(change),
        },
      },
      'our-id',
      'Plain',
    );
    expect(await rules.apply([demo])).toBe(false);
    expect(await rules.during(market, () => Promise.resolve('asked'))).toBeUndefined();
    fails = false;
    expect(await rules.apply([demo])).toBe(true);
    expect(filters()).toHaveLength(1);
  });
});

describe('a rule’s id', () => {
  it('is a positive 31-bit number, the same every time', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(ruleId(id)).toBe(ruleId(id));
        expect(Number.isInteger(ruleId(id))).toBe(true);
        expect(ruleId(id)).toBeGreaterThan(0);
        expect(ruleId(id)).toBeLessThan(2 ** 31);
      }),
    );
  });
});
