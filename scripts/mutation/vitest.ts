type Body = (...args: unknown[]) => unknown;

/** The body of a test or a `describe`, after its options or before its limit. */
type Rest = readonly [object | Body, (Body | number)?];

type Hook = () => unknown;

export interface Test {
  /** File and name, once in a run. */
  readonly id: string;
  readonly run: () => unknown;
  readonly isSkipped: boolean;
}

/** The tests of a file or a `describe` in their order. */
export interface Suite {
  readonly members: (Suite | Test)[];
  readonly beforeAll: Hook[];
  readonly afterAll: Hook[];
  readonly beforeEach: Hook[];
  readonly afterEach: Hook[];
}

/** Collects what a test file declares by `describe`, `it` and the hooks of Vitest, so that it can be run many times. */
export class Collector {
  #path: string[] = [];
  #suite = emptySuite();
  readonly #ids = new Set<string>();

  /** Collects the suite of one test file. */
  async fileOf(name: string, load: () => Promise<unknown>): Promise<Suite> {
    this.#path = [name];
    this.#suite = emptySuite();
    await load();
    return this.#suite;
  }

  readonly describe = this.#variants((name, body, isSkipped) => {
    const outer = this.#suite;
    const inner = emptySuite();
    if (isSkipped) return;
    outer.members.push(inner);
    this.#suite = inner;
    this.#path.push(name);
    body();
    this.#path.pop();
    this.#suite = outer;
  });

  readonly test = this.#variants((name, run, isSkipped) => {
    this.#suite.members.push({ id: this.#idOf(name), run, isSkipped });
  });

  /** Returns the function that declares a hook of the suite at hand. */
  hook(kind: Exclude<keyof Suite, 'members'>): (hook: Hook) => void {
    return (hook) => {
      this.#suite[kind].push(hook);
    };
  }

  #variants(declare: (name: string, run: () => unknown, isSkipped: boolean) => void) {
    const variantsOf = (isSkipped: boolean) => {
      const plain = (name: string, ...rest: Rest): void => {
        declare(name, bodyOf(rest), isSkipped);
      };
      const each =
        (rows: readonly unknown[]) =>
        (name: string, ...rest: Rest): void => {
          for (const row of rows) {
            const args: unknown[] = Array.isArray(row) ? row : [row];
            declare(name, () => bodyOf(rest)(...args), isSkipped);
          }
        };
      return Object.assign(plain, { each });
    };
    return Object.assign(variantsOf(false), {
      skipIf: (isSkipped: boolean) => variantsOf(isSkipped),
      runIf: (isRun: boolean) => variantsOf(!isRun),
    });
  }

  #idOf(name: string): string {
    const path = [...this.#path, name].join(' > ');
    let id = path;
    for (let row = 2; this.#ids.has(id); row += 1) id = `${path} #${String(row)}`;
    this.#ids.add(id);
    return id;
  }
}

function emptySuite(): Suite {
  return { members: [], beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
}

function bodyOf(rest: Rest): Body {
  const body = rest.find((part) => typeof part === 'function');
  if (body === undefined) throw new Error('A test without a body.');
  return body as Body;
}

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
