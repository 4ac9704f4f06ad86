import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import Vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

import { verifierMetaPolicy } from '#core/site/content-security-policy';
import project from '../package.json' with { type: 'json' };
import { manifest } from '#pwa/manifest';
import { compactCatalogues } from '#scripts/build/compact-catalogues';
import { icons } from '#scripts/build/icons';
import { treeshake } from '#scripts/build/treeshake';
import { collectPackages, writeLicenses } from '#scripts/packages/licenses';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const outDir = at('../dist/pwa');

/**
 * Puts the policy first in the page, for hosts that cannot send headers; Vite's dev server needs none. The version
 * follows, so that two versions always differ in bytes and a browser offers the newer one.
 */
const policyInPage: Plugin = {
  name: 'verifier-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: verifierMetaPolicy },
      injectTo: 'head-prepend',
    },
    { tag: 'meta', attrs: { name: 'version', content: project.version }, injectTo: 'head' },
  ],
};

/** Preloads the program, so that it is fetched and compiled while the page is painted. */
const preloadProgram: Plugin = {
  name: 'preload-program',
  apply: 'build',
  transformIndexHtml(_, { chunk, bundle = {} }) {
    const files = (chunk?.dynamicImports ?? []).flatMap((file) => {
      const program = bundle[file];
      return [file, ...(program?.type === 'chunk' ? program.imports : [])];
    });
    const others = files.filter((file) => file !== chunk?.fileName);
    return others.map((file) => ({
      tag: 'link',
      attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
      injectTo: 'head',
    }));
  },
};

/** Sets the chosen theme before the first paint, with the same script as the extension's pages. */
const themeScript: Plugin = {
  name: 'theme-script',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(at('../public/theme.js'), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'theme.js', source });
  },
};

const packages = collectPackages();

/** Writes the licenses after the service worker is built too. */
const licenses: Plugin = {
  name: 'licenses',
  apply: 'build',
  closeBundle: {
    sequential: true,
    order: 'post',
    handler: () => {
      writeLicenses(outDir, packages.names());
    },
  },
};

export default defineConfig({
  root: at('.'),
  // All addresses are relative, so that the folder works at any sub-path.
  base: './',
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2024',
    modulePreload: { polyfill: false },
    rolldownOptions: { treeshake },
  },
  worker: { format: 'es', rolldownOptions: { treeshake }, plugins: () => [packages.plugin()] },
  define: { __VUE_OPTIONS_API__: 'false' },
  resolve: {
    // Bundlers cannot drop the devtools code of Pinia's main file, 1 kB compressed.
    alias: [
      { find: /^pinia$/u, replacement: at('../node_modules/pinia/dist/pinia.esm-browser.prod.js') },
    ],
  },
  plugins: [
    Vue(),
    compactCatalogues(),
    icons(),
    policyInPage,
    themeScript,
    preloadProgram,
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'worker',
      filename: 'service-worker.ts',
      injectRegister: false,
      registerType: 'prompt',
      manifest,
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ['index.html', 'theme.js', 'assets/*.{js,css}', 'icon.svg'],
        buildPlugins: { vite: [packages.plugin()] },
      },
    }),
    packages.plugin(),
    licenses,
  ],
});
