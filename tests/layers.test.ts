import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { type ICruiseOptions, type IForbiddenRuleType, cruise } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
interface Paths {
  readonly path?: string;
  readonly pathNot?: string | readonly string[];
}
interface Rule {
  readonly name: string;
  readonly comment?: string;
  readonly from: Paths;
  readonly to: Paths;
}
const { default: config } = (await import(join(root, '.dependency-cruiser.mjs'))) as {
  default: { readonly forbidden: readonly Rule[]; readonly options: ICruiseOptions };
};
const rules = config.forbidden;

/** The folders with one door. */
const rooms = rules.flatMap(({ name, to }) =>
  name.endsWith('-has-one-door') && to.path !== undefined ? to.path.slice(1, -1) : [],
);

/** For each rule, a file that breaks it, and what that file holds. */
const violations: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'core-imports-inward-only': ['core/probe.ts', "import '../stores/target';"],
  'messaging-imports-inward-only': ['messaging/probe.ts', "import '../background/target';"],
  'adapters-imports-inward-only': ['adapters/probe.ts', "import '../messaging/target';"],
  'background-imports-inward-only': ['background/probe.ts', "import '../stores/target';"],
  'stores-imports-inward-only': ['stores/probe.ts', "import '../adapters/target';"],
  'components-imports-inward-only': ['components/probe.ts', "import '../adapters/target';"],
  'sandbox-imports-inward-only': ['sandbox/probe.ts', "import '../messaging/target';"],
  'relay-imports-inward-only': ['relay/probe.ts', "import '../adapters/target';"],
  'entrypoints-imports-inward-only': ['entrypoints/probe.ts', "import '../sandbox/target';"],
  'pwa-imports-inward-only': ['pwa/probe.ts', "import '../messaging/target';"],
  'background-is-composed-by-its-entries-alone': [
    'entrypoints/page/probe.ts',
    "import '../../background/target';",
  ],
  'secrets-stay-in-the-background': ['stores/keys.ts', "import '../adapters/secrets/target';"],
  'storage-of-the-worker-is-in-no-page': [
    'entrypoints/page/store.ts',
    "import '../../adapters/storage/worker/target';",
  ],
  'storage-of-pages-is-not-in-the-worker': [
    'entrypoints/administration.ts',
    "import '../adapters/storage/page/target';",
  ],
  'adapters-storage-has-two-doors': [
    'entrypoints/stores.ts',
    "import '../adapters/storage/target';",
  ],
  'core-codes-has-two-doors': ['background/finds.ts', "import '../core/codes/target';"],
  'core-keys-has-two-doors': ['background/signs.ts', "import '../core/keys/target';"],
  'core-replies-has-two-doors': ['background/words.ts', "import '../core/replies/target';"],
  'marketplaces-have-two-doors': ['background/reads.ts', "import '../core/marketplaces/target';"],
  ...Object.fromEntries(
    rooms.map((room) => {
      const name = room.replace('/', '-');
      return [`${name}-has-one-door`, [`entrypoints/${name}.ts`, `import '../${room}/target';`]];
    }),
  ),
  'pages-load-no-reader': ['stores/asks.ts', "import '../core/marketplaces/asking';"],
  'core-is-plain-typescript': ['core/files.ts', "import 'node:fs';"],
  'shipped-code-uses-dependencies-only': ['components/tool.ts', "import 'dev-only';"],
  'no-cycles': ['core/cycle.ts', "import './other-half';"],
  'no-orphans': ['core/orphan.ts', 'export const alone = true;'],
  resolvable: ['core/broken.ts', "import './missing';"],
};

const surroundings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'adapters',
      'adapters/secrets',
      'adapters/storage',
      'adapters/storage/page',
      'adapters/storage/worker',
      'background',
      'messaging',
      'sandbox',
      'stores',
      ...rooms,
    ].map((folder) => [`${folder}/target.ts`, 'export {};']),
  ),
  'core/codes/target.ts': 'export {};',
  'core/replies/target.ts': 'export {};',
  'core/keys/target.ts': 'export {};',
  'core/marketplaces/target.ts': 'export {};',
  'core/marketplaces/asking.ts': 'export {};',
  'core/other-half.ts': "import './cycle';",
  'core/allowed.ts': 'export {};',
  'entrypoints/background.ts': "import '../background/target'; import '../core/allowed';",
  'package.json': '{ "devDependencies": { "dev-only": "1.0.0" } }',
  'node_modules/dev-only/package.json': '{ "name": "dev-only", "main": "index.js" }',
  'node_modules/dev-only/index.js': 'export {};',
};

describe('a file that breaks a rule of the import arrows', () => {
  let folder = '';
  let found: readonly { readonly rule: string; readonly from: string }[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'layers-'));
    const files = [...Object.entries(surroundings), ...Object.values(violations)];
    for (const [file, text] of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const folders = [...new Set(files.map(([file]) => file.split('/')[0] ?? ''))];
    const { output } = await cruise(
      folders.filter((name) => name !== 'node_modules' && name !== 'package.json'),
      {
        ...config.options,
        tsConfig: {},
        baseDir: folder,
        validate: true,
        ruleSet: { forbidden: rules as unknown as IForbiddenRuleType[] },
      },
    );
    if (typeof output === 'string') throw new Error('Expected the result as an object.');
    found = output.summary.violations.map(({ rule, from }) => ({ rule: rule.name, from }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(rules.map(({ name }) => name))('%s is reported', (rule) => {
    const [from] = violations[rule] ?? [];
    expect(found).toContainEqual({ rule, from });
  });

  test('does not stain a file that keeps them', () => {
    expect(found.filter(({ from }) => from === 'entrypoints/background.ts')).toEqual([]);
  });
});

describe('a rule of the import arrows', () => {
  test.each(rules)('$name says why', ({ comment }) => {
    expect(comment).toMatch(/\w/u);
  });

  test('names only paths that exist', async () => {
    const folders = (await readdir(root, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory() && !/^(?:node_modules|\..*|dist)$/u.test(entry.name))
      .map(({ name }) => name);
    const lists = folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((file) => join(folder, file)),
    );
    const files = (await Promise.all(lists)).flat();
    const patterns = rules.flatMap(({ from, to }) =>
      [from.path, from.pathNot, to.path, to.pathNot].flatMap((path) => path ?? []),
    );
    const outside = /node_modules|^\^~icons|^\^vitest|^node:/u;
    const missing = patterns.filter(
      (pattern) => !outside.test(pattern) && !files.some((file) => new RegExp(pattern).test(file)),
    );
    expect(missing).toEqual([]);
  });
});
