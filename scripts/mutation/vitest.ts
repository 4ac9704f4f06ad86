import { Collector } from '#scripts/mutation/suites';

// Vitest's `expect` and `vi` read the state of its worker, which is not there.
Object.assign(globalThis, {
  __vitest_worker__: {
    config: {},
    ctx: {},
    environment: { name: 'node' },
    durations: {},
    metaEnv: {},
  },
});
const vitest = await import('vitest');

export const collector = new Collector();

export const { describe, test, test: it } = collector;
export const beforeAll = collector.hook('beforeAll');
export const afterAll = collector.hook('afterAll');
export const beforeEach = collector.hook('beforeEach');
export const afterEach = collector.hook('afterEach');

export const { vi } = vitest;

/** Provides nothing of what Vitest's global setup starts, such as a database server. */
export function inject(): undefined {
  return undefined;
}

export const expect = Object.assign(vitest.expect, { poll });

type Matchers = Record<string, (...args: unknown[]) => unknown>;

/** Asks again until a matcher holds, as `expect.poll` does; that one wants a test of Vitest's own. */
function poll(value: () => unknown, options?: object): Matchers & { readonly not: Matchers } {
  const retried = (isNot: boolean): Matchers =>
    new Proxy<Matchers>(
      {},
      {
        get:
          (_, matcher: string) =>
          (...args: unknown[]) =>
            vi.waitFor(async () => {
              const expected = vitest.expect(await value());
              const matchers: unknown = isNot ? expected.not : expected;
              await (matchers as Matchers)[matcher]?.(...args);
            }, options),
      },
    );
  const negated = retried(true);
  return new Proxy(retried(false), {
    get: (matchers, name: string) => (name === 'not' ? negated : matchers[name]),
  }) as Matchers & { readonly not: Matchers };
}
