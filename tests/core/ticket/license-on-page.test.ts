import { expect, test } from 'vitest';

import { licenseOnPage } from '#core/ticket/license-on-page';

const payload = 'eyJsaWNlbnNlX2lkIjoiTC0xIiwicHJvZHVjdF9zbHVnIjoib3JiaXQifQ';
const license = `${payload}.${'A'.repeat(86)}`;
const certificate = `${payload}.${'B'.repeat(86)}`;
const broken = license.match(/.{1,60}/g) ?? [];

test.each([
  ['among words', `My license is ${license}, thanks.`, license],
  ['on a line of its own', `Hello\n\n${license}\n\nRegards`, license],
  ['in JSON', `{ "license": "${license}" }`, license],
  ['broken into lines by a mail program', `Hello\n${broken.join('\n')}\n\nRegards`, license],
  ['broken, with spaces around the lines', `Hello\n ${broken.join(' \n ')}\n`, license],
  ['beside its certificate', `${license}\n${certificate}`, `${license}\n${certificate}`],
  ['broken, its last line at the end of the text', broken.join('\n'), license],
  ['broken, straight after another word of its kind', `word\n${broken.join('\n')}\n\n`, license],
  ['twice', `${license} and once more ${license}`, license],
])('a license is found %s', (_, text, found) => {
  expect(licenseOnPage(text)).toBe(found);
});

test('an armoured block is found whole', () => {
  const block = `-----BEGIN LICENSE-----\n${license}\n-----END LICENSE-----`;
  expect(licenseOnPage(`Hello\n${block}\nRegards`)).toContain(block);
});

test.each([
  '',
  'Please find my license attached.',
  'a.b '.repeat(1000),
  `https://desk.example/static/${'a'.repeat(40)}.js`,
  `${'word'.repeat(20)}\n${'other'.repeat(20)}`,
  '31ccb384-5d0a-4bd8-a6f2-2d4c3b0a9e11',
  '-----BEGIN LICENSE-----',
])('there is none in %j', (text) => {
  expect(licenseOnPage(text)).toBeUndefined();
});

test('what goes to the verifier is limited', () => {
  const many = Array.from({ length: 5000 }, (_, at) => `${payload}${String(at)}.${'A'.repeat(86)}`);
  expect(licenseOnPage(many.join(' '))).toHaveLength(262_144);
});
