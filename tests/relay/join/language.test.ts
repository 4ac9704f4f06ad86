import { afterAll, beforeAll, expect, test } from 'vitest';

import { findLanguage, translatedLanguages } from '#core/text/index';
import { joinLanguages } from '#relay/join/texts';
import { readTexts } from '#scripts/translations/texts';
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
  ['zh-Hant-TW, la, ja', '<html lang="ja" dir="ltr">', '>招待リンク<'],
  ['de-DE-1996', '<html lang="de" dir="ltr">', '>Einladungslink<'],
  ['la, *', '<html lang="en" dir="ltr">', '>Invite link<'],
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

test.each(translatedLanguages)('in %s the parts of the settings have their names', (tag) => {
  const texts = readTexts(tag);
  const named = [
    ['joinPages.button', 'team.join'],
    ['joinPages.renew', 'step.signIn'],
    ['joinPages.section', 'options.unreadable.source.team'],
  ].map((names) => names.flatMap((name) => texts.get(name) ?? []));
  for (const [here, there = here] of named) expect(here ?? there).toBe(there);
  for (const name of ['{button}', '{again}']) expect(texts.get('joinPages.onlyIf')).toContain(name);
  const [section = ''] = named.at(-1) ?? [];
  expect(texts.get('joinPages.again') ?? section).toContain(section);
});

test('what a language lacks is in English', () => {
  const [english, ...others] = joinLanguages.map(({ texts }) => Object.keys(texts));
  for (const keys of others) expect(keys).toEqual(english);
});

test('a locale without texts finds none', () => {
  expect(findLanguage('la-VA', ['en', 'de'])).toBeUndefined();
});
