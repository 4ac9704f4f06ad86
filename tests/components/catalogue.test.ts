import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { messageProblems } from '#scripts/checks/messages';
import { textsIn } from '#scripts/translations/texts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const productFolders = 'adapters background components core entrypoints messaging pwa stores'.split(
  ' ',
);
test('each message is used, and each that is looked up is there', () => {
  const folder = `${root}locales/en/`;
  const keys = readdirSync(folder)
    .filter((file) => !/^(?:browser|join|replies)\./.test(file))
    .flatMap((file) =>
      textsIn(JSON.parse(readFileSync(folder + file, 'utf8')) as object).map(([name]) => name),
    );
  const sources = productFolders.flatMap((name) =>
    readdirSync(`${root}${name}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|vue)$/.test(file))
      .map((file) => readFileSync(`${root}${name}/${file}`, 'utf8')),
  );
  expect(keys.length).toBeGreaterThan(1000);
  expect(messageProblems(keys, sources)).toEqual([]);
});
