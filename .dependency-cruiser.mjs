const folders =
  '^(core|messaging|adapters|background|stores|components|entrypoints|pwa|sandbox|scripts|bench|tests)/';
const layer = (name, mayImport) => ({
  name: `${name}-imports-inward-only`,
  severity: 'error',
  from: { path: `^${name}/` },
  to: { path: folders, pathNot: [name, ...mayImport].map((folder) => `^${folder}/`) },
});

/** The import arrows of ARCHITECTURE.md, kept. @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    layer('core', []),
    layer('messaging', ['core']),
    layer('adapters', ['core']),
    layer('background', ['core', 'messaging', 'adapters']),
    layer('stores', ['core', 'messaging']),
    layer('components', ['core', 'messaging', 'stores']),
    layer('sandbox', ['core']),
    layer('entrypoints', ['core', 'messaging', 'adapters', 'background', 'stores', 'components']),
    layer('pwa', ['core', 'adapters', 'stores', 'components']),
    {
      name: 'background-is-composed-by-its-entry-alone',
      comment: 'What the worker holds must not be pulled into a page.',
      severity: 'error',
      from: { path: '^(entrypoints|pwa)/', pathNot: '^entrypoints/background\\.ts$' },
      to: { path: '^background/' },
    },
    {
      name: 'secrets-stay-in-the-background',
      comment: 'Only the worker may hold the API key.',
      severity: 'error',
      from: { pathNot: '^(background|entrypoints/background\\.ts|adapters/secrets|tests)' },
      to: { path: '^adapters/secrets/' },
    },
    {
      name: 'core-is-plain-typescript',
      severity: 'error',
      from: { path: '^core/' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'core'],
        pathNot: ['node_modules/(@noble|@scure|valibot)/'],
      },
    },
    {
      name: 'shipped-code-uses-dependencies-only',
      severity: 'error',
      from: {
        path: '^(core|messaging|adapters|background|stores|components|entrypoints|pwa/worker)/',
      },
      to: { dependencyTypes: ['npm-dev'], pathNot: ['node_modules/wxt/', '^~icons/'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['^entrypoints/', '^bench/bare/', '\\.config\\.', '\\.d\\.ts$'],
      },
      to: {},
    },
    {
      name: 'resolvable',
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
