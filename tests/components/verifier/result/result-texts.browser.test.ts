import { createPinia } from 'pinia';
import { expect, test } from 'vitest';
import { createApp, defineComponent } from 'vue';

import { createCatalogue } from '#components/i18n';
import { type ResultTexts, useResultTexts } from '#components/verifier/result/result-texts';
import type { Inspection } from '#core/license/index';
import verifier from '#locales/en/verifier.json';
import { clockPort } from '#stores/ports';
import { foreign, foreignMarks, foreignMarkup } from '#tests/components/foreign-text';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, NOW, token } from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';
import { makeSigner } from '#tests/core/keys/sign';

const shown = '⟨U+202E⟩four';

function resultTexts(): ResultTexts {
  let texts: ResultTexts | undefined;
  const page = defineComponent(() => {
    texts = useResultTexts();
    return () => undefined;
  });
  createApp(page)
    .use(createPinia())
    .use(createCatalogue('en-US', verifier))
    .provide(clockPort, () => NOW)
    .mount(document.createElement('div'));
  if (texts === undefined) throw new Error('The page was not mounted.');
  return texts;
}

/** A license for this product, with one claim more, in a ticket about another product. */
const about = (product: string, claim: string): Promise<Inspection> =>
  inspection(token(signer, { ...LICENSE_CLAIMS, product_slug: product, [claim]: product }), {
    expected: { productSlug: 'other' },
  });

test('the report keeps its lines and cells, and shows a stranger’s text as text', async () => {
  const texts = resultTexts();
  const plain = texts.markdown({
    inspection: await about('orbit', 'note'),
    name: 'a.lic',
    at: NOW,
  });
  const text = texts.markdown({
    inspection: await about(foreign, foreign),
    name: foreign,
    at: NOW,
  });
  expect(foreignMarks(text)).toEqual([]);
  expect(foreignMarkup(text)).toEqual([]);

  const lines = text.split(/\r?\n|\r/u);
  const cells = (line: string): number => line.split(/(?<!\\)\|/u).length;
  expect(lines.map(cells)).toEqual(plain.split('\n').map(cells));

  const [title = '', claim = '', file = ''] = [/^# /u, /^\| one/u, /^File/u].map((start) =>
    lines.find((line) => start.test(line)),
  );
  for (const line of [title, claim, file]) expect(line).toContain(shown);
  expect(claim.split(shown)).toHaveLength(3);
  expect(lines.find((line) => line.includes('| Product |'))).toContain(shown);
});

test('a moment in the report is a moment, without the marks that keep its order on the page', async () => {
  const both = await inspection([token(signer, LICENSE_CLAIMS), token(signer, CERTIFICATE_CLAIMS)]);
  const result = { inspection: both, name: 'a', at: NOW };
  expect(resultTexts().markdown(result)).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? UTC/u);
  expect(resultTexts().markdown(result)).not.toContain('U+206');
  expect(resultTexts().json(result)).not.toMatch(/[\u2068\u2069]/u);
});

test('a license that has expired says so first, however live its certificate is', async () => {
  const expires_at = new Date(NOW - 86_400_000).toISOString();
  const license = token(signer, { ...LICENSE_CLAIMS, expires_at });
  const both = await inspection([license, token(signer, CERTIFICATE_CLAIMS)]);
  expect(both.standing).toBe('activated');
  const text = resultTexts().markdown({ inspection: both, name: 'a', at: NOW });
  expect(text).toMatch(/^# Genuine, but the license expired yesterday\.\n\nApart from that: /u);
});

test.each(['test', 'sample'])(
  'a genuine license that says %s: true under a live key says so',
  async (name) => {
    const textOf = async (claim: object): Promise<string> =>
      resultTexts().markdown({
        inspection: await inspection(token(signer, { ...LICENSE_CLAIMS, ...claim })),
        name: 'a',
        at: NOW,
      });
    expect(await textOf({ [name]: true })).toContain('**Calls itself a test license**');
    for (const value of [false, 'true', 1])
      expect(await textOf({ [name]: value })).not.toContain('Calls itself');
    const forged = token(makeSigner(9), { ...LICENSE_CLAIMS, [name]: true });
    const text = resultTexts().markdown({
      inspection: await inspection(forged),
      name: 'a',
      at: NOW,
    });
    expect(text).not.toContain('Calls itself');
  },
);

test('the report lists no claim of a document that is not verified', async () => {
  const forged = token(makeSigner(9), { ...CERTIFICATE_CLAIMS, domain: 'forged.example' });
  const both = await inspection([token(signer, LICENSE_CLAIMS), forged]);
  const text = resultTexts().markdown({ inspection: both, name: 'a', at: NOW });
  expect(text).toContain('harbour-theme');
  expect(text).not.toContain('forged');
});

test('a private key is named as one, with what its owner must do', async () => {
  const given = await inspection('-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n');
  const text = resultTexts().markdown({ inspection: given, name: 'a', at: NOW });
  expect(text).toContain('# This is a key, not a license.\n\nThis is a private key.');
  expect(text).toContain('its owner must replace it');
});

test('fields that license and certificate share are named as in the tables of their claims', async () => {
  const both = await inspection([token(signer, LICENSE_CLAIMS), token(signer, CERTIFICATE_CLAIMS)]);
  const text = resultTexts().markdown({ inspection: both, name: 'a', at: NOW });
  expect(text).toContain('The same in both: License id and Product.');
});

test('the saved report holds no signed text, and nothing of a document that is not verified', async () => {
  const license = token(signer, LICENSE_CLAIMS);
  const forged = token(makeSigner(9), { ...CERTIFICATE_CLAIMS, domain: 'forged.example' });
  const text = resultTexts().json({
    inspection: await inspection([license, forged]),
    name: 'a',
    at: NOW,
  });
  for (const segment of `${license}.${forged}`.split('.')) expect(text).not.toContain(segment);
  expect(text).toContain('harbour-theme');
  expect(text).not.toContain('forged.example');
});
