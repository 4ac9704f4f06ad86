import { namedFiles } from '#scripts/build/module-sizes';

const build = '.output/chrome-mv3';

/** All that is fetched before a page can be used. */
const shellOf = (page, folder = build) =>
  namedFiles(folder, page).map((path) => `${folder}/${path}`);

export default [
  {
    name: 'popup, page, scripts and styles',
    // Its style sheet stands in the page.
    path: [`${build}/popup.html`, ...shellOf('popup.html')],
    limit: '45 kB',
    gzip: true,
  },
  {
    name: 'verifier, scripts and styles',
    path: shellOf('verifier.html'),
    limit: '85 kB',
    gzip: true,
  },
  {
    name: 'verifier site, scripts and styles',
    path: shellOf('index.html', 'dist/pwa'),
    limit: '75 kB',
    gzip: true,
  },
  {
    name: 'verify worker',
    path: `${build}/assets/verify-worker-*.js`,
    limit: '36.9 kB',
    gzip: true,
  },
  {
    // 2 kB of it are the looks of the chips and the notes on help desks: every document got them from the worker before.
    name: 'content scripts',
    path: [`${build}/ticket.js`, `${build}/ticket-view.js`],
    limit: '11 kB',
    gzip: true,
  },
  {
    // Only documents get it whose text may hold a code.
    name: 'content script, finder of codes',
    path: `${build}/ticket-codes.js`,
    limit: '15.05 kB',
    gzip: true,
  },
  {
    // Only a ticket gets it that a reply is inserted into.
    name: 'content script, reply field',
    path: `${build}/reply-field.js`,
    limit: '2 kB',
    gzip: true,
  },
  { name: 'background', path: `${build}/background.js`, limit: '38.55 kB', gzip: true },
  {
    name: 'background, second script',
    path: `${build}/administration.js`,
    limit: '34.6 kB',
    gzip: true,
  },
  {
    name: 'background, readers of marketplaces',
    path: `${build}/marketplaces.js`,
    limit: '13.25 kB',
    gzip: true,
  },
  { name: 'packed extension', path: '.output/*-chrome.zip', limit: '914 kB', brotli: false },
];
