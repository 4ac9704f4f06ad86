import { readFileSync } from 'node:fs';

const build = '.output/chrome-mv3';

/** The scripts and styles that a page's own HTML names: all that is fetched before it can be used. */
const shellOf = (page) =>
  [
    ...readFileSync(`${build}/${page}`, 'utf8').matchAll(/(?:src|href)="\/?([^"]+\.(?:js|css))"/g),
  ].map(([, path]) => `${build}/${path}`);

export default [
  { name: 'popup, scripts and styles', path: shellOf('popup.html'), limit: '60 kB', gzip: true },
  { name: 'background', path: `${build}/background.js`, limit: '30 kB', gzip: true },
  { name: 'packed extension', path: '.output/*-chrome.zip', limit: '400 kB', gzip: false },
];
