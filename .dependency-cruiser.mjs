const folders =
  '^(core|messaging|adapters|background|stores|components|entrypoints|pwa|sandbox|relay|scripts|bench|tests)/';
const layer = (name, mayImport, comment) => ({
  name: `${name}-imports-inward-only`,
  comment,
  severity: 'error',
  from: { path: `^${name}/` },
  to: { path: folders, pathNot: [name, ...mayImport].map((folder) => `^${folder}/`) },
});

/** Rooms with one door; a room with two has a rule of its own below. */
const rooms = [
  'background/seller',
  'core/address',
  'core/authority',
  'core/bulk',
  'core/check',
  'core/chips',
  'core/connections',
  'core/encoding',
  'core/first-steps',
  'core/history',
  'core/installation',
  'core/items',
  'core/jobs',
  'core/key-ring',
  'core/license',
  'core/policy',
  'core/preferences',
  'core/reading',
  'core/reply-templates',
  'core/settings',
  'core/settings-import',
  'core/storage',
  'core/tables',
  'core/team',
  'core/text',
  'core/ticket',
  'core/time',
  'core/verdict',
  'core/verifier',
  'messaging',
  'relay/rules',
  'relay/store',
  'stores/check',
  'stores/verifier',
];
const door = (room) => ({
  name: `${room.replace('/', '-')}-has-one-door`,
  comment:
    'What stands behind the door may change without anybody outside; its README says what it offers.',
  severity: 'error',
  from: { pathNot: [`^${room}/`, '^tests/'] },
  to: { path: `^${room}/`, pathNot: `^${room}/index\\.ts$` },
});

/** The import arrows of ARCHITECTURE.md. @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    layer('core', [], 'The rules run in every runtime, so they may know none.'),
    layer('messaging', ['core'], 'Pages and worker both load it, so it may hold neither.'),
    layer(
      'adapters',
      ['core'],
      'An adapter binds one outside thing and knows nothing of its users.',
    ),
    layer(
      'background',
      ['core', 'messaging', 'adapters'],
      'The worker must run with no page open.',
    ),
    layer(
      'stores',
      ['core', 'messaging'],
      'Stores reach the outside through injected ports, so that tests need no mocks.',
    ),
    layer('components', ['core', 'messaging', 'stores'], 'Views show stores and touch no adapter.'),
    layer(
      'sandbox',
      ['core'],
      'The sandbox stands in for a foreign server, so it must not share our client code.',
    ),
    layer(
      'relay',
      ['core'],
      "The relay holds the team's keys on a server, so it is small enough to audit and shares no browser code.",
    ),
    layer(
      'entrypoints',
      ['core', 'messaging', 'adapters', 'background', 'stores', 'components'],
      'What ships in the extension must not load the sandbox, scripts or tests.',
    ),
    {
      ...layer(
        'pwa',
        ['core', 'adapters', 'stores', 'components'],
        'The site has no worker to message and must not load the extension.',
      ),
      // Its configuration runs in the build alone.
      from: { path: '^pwa/', pathNot: '^pwa/vite\\.config\\.ts$' },
    },
    {
      name: 'background-is-composed-by-its-entries-alone',
      comment: 'What the worker holds must not be pulled into a page.',
      severity: 'error',
      from: {
        path: '^(entrypoints|pwa)/',
        pathNot: '^entrypoints/(background|administration)\\.ts$',
      },
      to: { path: '^background/' },
    },
    {
      name: 'storage-of-the-worker-is-in-no-page',
      comment: 'Its folder says that only the worker loads it.',
      severity: 'error',
      from: {
        path: '^(entrypoints|pwa)/',
        pathNot: '^entrypoints/(background|administration)\\.ts$',
      },
      to: { path: '^adapters/storage/worker/', reachable: true },
    },
    {
      name: 'storage-of-pages-is-not-in-the-worker',
      comment: 'Its folder says that only pages load it.',
      severity: 'error',
      from: { path: '^entrypoints/(background|administration)\\.ts$' },
      to: { path: '^adapters/storage/page/', reachable: true },
    },
    {
      name: 'secrets-stay-in-the-background',
      comment: 'Only the worker may hold the API key.',
      severity: 'error',
      from: {
        pathNot: ['^background/', '^entrypoints/background\\.ts$', '^adapters/secrets/', '^tests/'],
      },
      to: { path: '^adapters/secrets/' },
    },
    ...rooms.map(door),
    {
      name: 'adapters-storage-has-two-doors',
      comment: 'The worker opens its records through one, pages through the other.',
      severity: 'error',
      from: { pathNot: ['^adapters/storage/', '^tests/'] },
      to: { path: '^adapters/storage/', pathNot: '^adapters/storage/(worker/)?index\\.ts$' },
    },
    {
      name: 'core-codes-has-two-doors',
      comment: 'A page loads classify-input.ts beside its field, and not before.',
      severity: 'error',
      from: { pathNot: ['^core/codes/', '^tests/'] },
      to: { path: '^core/codes/', pathNot: '^core/codes/(index|classify-input)\\.ts$' },
    },
    {
      name: 'core-keys-has-two-doors',
      comment:
        'Pages show keys; the engine that verifies signatures is loaded late, by who needs it.',
      severity: 'error',
      from: { pathNot: ['^core/keys/', '^tests/'] },
      to: { path: '^core/keys/', pathNot: '^core/keys/(index|ed25519)\\.ts$' },
    },
    {
      name: 'marketplaces-have-two-doors',
      comment:
        'How a marketplace is asked may change without anybody outside; asking.ts holds the readers.',
      severity: 'error',
      from: { pathNot: ['^core/marketplaces/', '^tests/'] },
      to: { path: '^core/marketplaces/', pathNot: '^core/marketplaces/(index|asking)\\.ts$' },
    },
    {
      name: 'core-replies-has-two-doors',
      comment: 'The verifier knows the language of a reply before it loads what composes one.',
      severity: 'error',
      from: { pathNot: ['^core/replies/', '^tests/'] },
      to: { path: '^core/replies/', pathNot: '^core/replies/(index|reply-language)\\.ts$' },
    },
    {
      name: 'pages-load-no-reader',
      comment:
        'A page shows what the worker was answered; readers are tens of kB that it never runs.',
      severity: 'error',
      from: { path: '^(components|stores|messaging|pwa)/' },
      to: { path: '^core/marketplaces/asking\\.ts$' },
    },
    {
      name: 'core-is-plain-typescript',
      comment: 'A package in core must run in every runtime and be small enough to audit.',
      severity: 'error',
      from: { path: '^core/' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'core'],
        pathNot: ['node_modules/(@noble|valibot)/'],
      },
    },
    {
      name: 'shipped-code-uses-dependencies-only',
      comment:
        'A devDependency is not reviewed as shipped code; WXT and the icons are build inputs that leave only their output.',
      severity: 'error',
      from: {
        path: '^(core|messaging|adapters|background|stores|components|entrypoints|pwa/worker|relay)/',
      },
      to: { dependencyTypes: ['npm-dev'], pathNot: ['node_modules/wxt/', '^~icons/'] },
    },
    {
      name: 'no-cycles',
      comment: 'Modules in a cycle cannot be read, tested or moved one by one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A module that nothing imports, and that imports nothing, is dead.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '^entrypoints/',
          '^bench/bare/',
          '\\.config\\.',
          '\\.d\\.ts$',
          // Loaded into a child process before its program.
          '^tests/relay/support/wrong-clock\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'resolvable',
      comment: 'An import that cannot be resolved would escape every rule above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^~icons/', '^vitest/browser$', 'node:sqlite'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^\\.(wxt|output)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'types', 'default'],
    },
  },
};
