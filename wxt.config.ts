import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { mergeConfig, type Plugin } from 'vite';
import { defineConfig } from 'wxt';

import { verifierMetaPolicy } from '#core/site/content-security-policy';
import { catalogueScripts, compactCatalogues } from '#scripts/build/compact-catalogues';
import {
  browserTexts,
  finishExtension,
  leastBrowsers,
  managedSchema,
  sourceBuildId,
} from '#scripts/build/extension';
import { icons } from '#scripts/build/icons';
import { measureModules } from '#scripts/build/module-sizes';
import { treeshake } from '#scripts/build/treeshake';
import { collectPackages, writeLicenses } from '#scripts/packages/licenses';

const loopback = 'http://localhost:* http://127.0.0.1:*';

/** Bundles Pinia's production file: bundlers cannot drop the devtools code of its main file, 1 kB compressed. */
const productionPinia = [
  {
    find: /^pinia$/u,
    replacement: fileURLToPath(
      new URL('./node_modules/pinia/dist/pinia.esm-browser.prod.js', import.meta.url),
    ),
  },
];

/**
 * Returns the content security policy of every extension page. While `npm run dev` serves, Vite needs its socket and
 * inline styles.
 */
const policy = (serving: boolean): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    serving ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    // Pictures and media on loopback come through the worker, as `data:`.
    "img-src 'self' data: https:",
    'media-src data: https:',
    `connect-src 'self' https: ${loopback}${serving ? ' ws://localhost:*' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types vue counterfoil',
  ].join('; ');

/**
 * Narrows the verifier's page to the policy of the site: a customer's file cannot leave it. The dev server needs none.
 */
const verifierPolicy: Plugin = {
  name: 'verifier-policy',
  apply: 'build',
  transformIndexHtml: (_, { filename }) =>
    basename(dirname(filename)) === 'verifier'
      ? [
          {
            tag: 'meta',
            attrs: { 'http-equiv': 'Content-Security-Policy', content: verifierMetaPolicy },
            injectTo: 'head-prepend',
          },
        ]
      : [],
};

const build = sourceBuildId();
const modules = measureModules();
const packages = collectPackages();

/**
 * Puts what every page needs into one script, what the popup and the panel need beside it into another, and what they
 * load once the field is drawn into two more: each script costs a popup milliseconds, and alone it compresses worse.
 */
const pages = {
  cssTarget: [`chrome${String(leastBrowsers.chromium)}`, `firefox${String(leastBrowsers.firefox)}`],
  // A page's HTML names its scripts. A view that is loaded later finds its own: naming them costs the popup more than
  // it gains.
  modulePreload: {
    polyfill: false,
    resolveDependencies: (
      _: string,
      scripts: string[],
      { hostType }: { hostType: 'html' | 'js' },
    ): string[] => (hostType === 'html' ? scripts : []),
  },
  rollupOptions: {
    output: {
      // No version of the extension finds a file of another one, and each of 200 hashes stands in the archive three
      // times; the name of their folder stands there twice for each of 140 files.
      chunkFileNames: 'c/[name].js',
      assetFileNames: 'assets/[name].[ext]',
      codeSplitting: {
        groups: [
          ...catalogueScripts,
          {
            name: 'page',
            // What the check shares with pages that have no check, or they would load it whole.
            test: /\/entrypoints\/page\/mount\.ts$|wxt-html-plugins|\/components\/ui\/(?:Logo|WorkerLost)\.vue$|\/stores\/(?:latest|clock|ui\/undo-offer)\.ts$|\/core\/(?:result|storage\/soft-deletion|time\/units|encoding\/json)\.ts$|\/adapters\/browser\/extension-tabs\.ts$|~icons\/lucide\/(?:settings|layout-list|file-key)/,
          },
          { name: 'check', test: /\/components\/check\/(?:CheckPanel\.vue|focus-code-field\.ts)$/ },
          {
            name: 'records',
            test: /\/adapters\/(?:browser\/waiting-files|storage\/(?:handoffs|tables))\.ts$|\/core\/(?:record|storage\/soft-deletion)\.ts$/,
          },
          {
            name: 'text',
            test: /\/core\/(?:text\/(?:visible-text|language)|reading\/file-limit|replies\/reply-facts)\.ts$/,
          },
          { name: 'drop', test: /\/components\/(?:ui\/DropVeil|ticket\/DropToVerifier)\.vue$/ },
          {
            name: 'cards',
            test: /\/components\/(?:ui\/(?:Facts|VerdictCard)\.vue|use-(?:after-paint|copy-feedback)\.ts)$/,
          },
          { name: 'codes', test: /\/core\/codes\/classify-input\.ts$/ },
          { name: 'beside', test: /\/entrypoints\/popup\/ticket-beside\.ts$/ },
          // Else each that two views have is a file of its own.
          { name: 'icons', test: /~icons\/lucide/, minShareCount: 2 },
        ],
      },
    },
  },
};

const everyScript = {
  // Every browser that can install the extension preloads modules by itself.
  modulePreload: { polyfill: false },
  // WXT's logger says nothing in production.
  rollupOptions: {
    treeshake: {
      ...treeshake,
      manualPureFunctions: ['logger'],
    },
  },
};

export default defineConfig({
  imports: false,
  webExt: { disabled: true },
  hooks: {
    // An event page imports no script later, so that Firefox reads all of the worker's.
    'build:manifestGenerated': ({ config }, { background }) => {
      if (config.browser === 'firefox' && background !== undefined && 'scripts' in background)
        background.scripts?.unshift('administration.js', 'marketplaces.js');
    },
    'build:publicAssets': (_, files) => {
      files.push(...browserTexts());
    },
    'build:done': ({ config }) => {
      if (config.command !== 'build') return;
      finishExtension(config.outDir, config.browser);
      modules.write(config.outDir);
      writeLicenses(config.outDir, packages.names());
    },
    'vite:build:extendConfig': (entries, config) => {
      if (entries.some(({ name }) => name === 'popup'))
        Object.assign(config, mergeConfig(config, { build: pages }));
    },
  },
  modules: ['@wxt-dev/module-vue'],
  vite: ({ command }) => ({
    define: {
      __VUE_OPTIONS_API__: 'false',
      __COUNTERFOIL_BUILD__: JSON.stringify(build),
    },
    build: everyScript,
    resolve: { alias: command === 'build' ? productionPinia : [] },
    plugins: [compactCatalogues(), icons(), verifierPolicy, modules.plugin, packages.plugin()],
    worker: { plugins: () => [packages.plugin()] },
  }),
  manifest: ({ browser, command }) => ({
    name: 'Counterfoil',
    description: '__MSG_description__',
    default_locale: 'en',
    permissions: [
      'storage',
      'alarms',
      'activeTab',
      'scripting',
      'contextMenus',
      ...(browser === 'firefox' ? [] : ['declarativeNetRequestWithHostAccess']),
    ],
    optional_host_permissions: ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'],
    omnibox: { keyword: 'cf' },
    commands: {
      _execute_action: { suggested_key: { default: 'Alt+Shift+K' } },
      'next-code': {
        suggested_key: { default: 'Alt+Shift+J' },
        description: '__MSG_commandNextCode__',
      },
      ...(browser === 'firefox'
        ? { _execute_sidebar_action: {} }
        : { 'side-panel': { description: '__MSG_commandPanel__' } }),
    },
    content_security_policy: { extension_pages: policy(command === 'serve') },
    ...(browser === 'firefox'
      ? {
          browser_specific_settings: {
            gecko: {
              id: 'counterfoil@example.org',
              strict_min_version: `${String(leastBrowsers.firefox)}.0`,
              // docs/store/amo.md says why.
              data_collection_permissions: { required: ['authenticationInfo', 'websiteContent'] },
            },
          },
        }
      : {
          minimum_chrome_version: String(leastBrowsers.chromium),
          storage: { managed_schema: managedSchema },
        }),
  }),
});
