import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { findLanguage, translatedLanguages } from '#core/text/index';
import { joinLanguages } from '#relay/join/language';
import { joinAttempt } from '#tests/relay/support/joining';
import { type RelayFiles, type StartedRelay, relayFiles } from '#tests/relay/support/relay';

let files: RelayFiles;
let relay: StartedRelay;

beforeAll(async () => {
  files = relayFiles();
  relay = await files.start({ name: 'Fenwick & <b>Co</b>' });
});
afterAll(async () => {
  await relay.stop();
  files.remove();
});

/** Asks for a page in the languages of a browser, and returns its HTML. */
async function pageIn(accepted: string | undefined, address: string): Promise<string> {
  const headers = accepted === undefined ? undefined : { 'accept-language': accepted };
  const reply = await fetch(address, headers && { headers });
  return reply.text();
}

test.each([
  [undefined, '<html lang="en" dir="ltr">', '>Invite link<'],
  ['de-AT,de;q=0.9,en;q=0.8', '<html lang="de" dir="ltr">', '>Einladungslink<'],
  ['en;q=0.5, ar-EG', '<html lang="ar" dir="rtl">', '>رابط الدعوة<'],
  ['pt', '<html lang="pt-BR" dir="ltr">', '>Link de convite<'],
  ['zh-Hant-TW, nl, ja', '<html lang="ja" dir="ltr">', '>招待リンク<'],
  ['de-DE-1996', '<html lang="de" dir="ltr">', '>Einladungslink<'],
  ['nl, *', '<html lang="en" dir="ltr">', '>Invite link<'],
  ['-, de_DE, 1;q=x, "><script>', '<html lang="en" dir="ltr">', '>Invite link<'],
])('a browser that asks for %s gets %s', async (accepted, tag, label) => {
  const page = await pageIn(accepted, joinAttempt(relay.origin).page);
  expect(page).toContain(tag);
  expect(page).toContain(label);
  expect(page).toContain('Fenwick &amp; &lt;b&gt;Co&lt;/b&gt;');
  expect(page).not.toContain('<b>');
});

test('a page that ends a join speaks the language too, and its script runs by its hash', async () => {
  const reply = await fetch(`${relay.origin}/relay/v1/joined`, {
    headers: { 'accept-language': 'de' },
  });
  const page = await reply.text();
  expect(page).toContain('Sie sind beigetreten');
  const script = /<script>([^]*)<\/script>/.exec(page)?.[1] ?? '';
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script));
  expect(reply.headers.get('content-security-policy')).toContain(
    `script-src 'sha256-${Buffer.from(hash).toString('base64')}'`,
  );
});

test('the pages speak every language of the interface', () => {
  expect(joinLanguages.map(({ tag }) => tag).toSorted()).toEqual(
    ['en', ...translatedLanguages].toSorted(),
  );
});

test.each(joinLanguages)('in $tag the parts of the settings have their names', ({ tag, texts }) => {
  const catalogue = (name: string): object =>
    JSON.parse(
      readFileSync(join(import.meta.dirname, `../../../locales/${tag}/${name}.json`), 'utf8'),
    ) as object;
  expect(catalogue('team')).toMatchObject({ team: { join: texts.button } });
  expect(catalogue('options')).toMatchObject({ options: { team: { title: texts.section } } });
  expect(texts.again).toContain(texts.section);
});

test('a locale without texts finds none', () => {
  expect(findLanguage('nl-NL', ['en', 'de'])).toBeUndefined();
});
