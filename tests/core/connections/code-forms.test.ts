import { describe, expect, test } from 'vitest';

import { succeed } from '#core/result';
import { findCodes } from '#tests/core/codes/found-codes';
import { defaultDialect } from '#core/connections/index';
import { parseCodePattern } from '#core/codes/index';
import { parseBaseAddress } from '#core/address/index';
import { needsKey, placeOf, codeForms, marketplaceIds } from '#core/marketplaces/index';
import { marketplaceOf } from '#core/marketplaces/readers';
import { codes as envatoCodes } from '#sandbox/marketplaces/envato';
import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import { codePatternsOf, connectionsFor, hasFormOf } from '#core/connections/code-forms';

const at = (id: string, place: object) => ({ id, dialect: defaultDialect, ...place });
const connections = [
  at('own', {}),
  at('envato', { marketplace: 'envato' as const }),
  at('gumroad', { marketplace: 'gumroad' as const }),
  at('lemon', { marketplace: 'lemon-squeezy' as const }),
  at('polar', { marketplace: 'polar' as const }),
  at('edd', { marketplace: 'easy-digital-downloads' as const }),
];
const ofGroups = gumroadCodes.genuine;
const common = envatoCodes.supported;

describe('a code is asked only where one of its form can be known', () => {
  const asked = (code: string) => connectionsFor(code, connections).map(({ id }) => id);

  test.each([
    [common, ['own', 'envato', 'lemon']],
    [common.toUpperCase(), ['own', 'envato', 'lemon']],
    [ofGroups, ['own', 'gumroad']],
    // O typed for 0.
    [ofGroups.replaceAll('0', 'O'), ['own', 'gumroad']],
    [common.replaceAll('-', ''), ['own', 'envato', 'gumroad', 'lemon', 'edd']],
    ['LIC-1234-5678', ['own']],
    [`TIDE-${common}`, ['own', 'polar']],
    [`my_app_${common.toUpperCase()}`, ['own', 'polar']],
  ])('%s at %j', (code, ids) => {
    expect(asked(code)).toEqual(ids);
  });

  test.each(
    marketplaceIds.flatMap((id) =>
      Object.values(emulations[id].codes)
        .slice(0, 1)
        .map((code) => [id, code] as const),
    ),
  )('at %s its own %s', (id, code) => {
    const all = marketplaceIds.map((marketplace) => at(marketplace, { marketplace }));
    expect(connectionsFor(code, all).map((one) => one.id)).toContain(id);
    const own = all.filter((one) => one.id === id);
    expect(findCodes(`My key:\n${code}\n`, { patterns: codePatternsOf(own) })).toMatchObject([
      { code },
    ]);
  });

  test('a letter O is no 0 where the pattern has a letter', () => {
    const edd = { marketplace: 'easy-digital-downloads' as const };
    const dialect = { ...defaultDialect, codePattern: 'AAAAA-99999999' };
    const both = [{ ...at('capitals', edd), dialect }, ...connections];
    for (const code of ['HARBS-12345678', 'ORBIT-12345678', 'ORBIT-12O45678'])
      expect(connectionsFor(code, both).map(({ id }) => id)).toContain('capitals');
  });

  test('a code that fits nowhere is asked everywhere: it may be mistyped', () => {
    const [, ...others] = connections;
    expect(connectionsFor('LIC-1234-5678', others)).toEqual(others);
  });

  test('a pattern of its own widens what a connection is asked', () => {
    const dialect = { ...defaultDialect, codePattern: 'LIC-9999-9999' };
    const [, ...others] = [...connections, at('odd', { marketplace: 'gumroad', dialect })];
    expect(connectionsFor('LIC-1234-5678', others).map(({ id }) => id)).toEqual(['odd']);
  });
});

test('codes in groups of eight are found in a ticket once such a marketplace is connected', () => {
  const text = `My keys: ${ofGroups} and ${common}.`;
  const found = (patterns: string[]) => findCodes(text, { patterns }).map(({ code }) => code);
  expect(found(codePatternsOf(connections))).toEqual([ofGroups, common]);
});

test.each([`TIDE-${common}`, `MY-APP-${common.toUpperCase()}`, `fin_2_${common}`])(
  '%s is found whole in a ticket once a marketplace with prefixes is connected',
  (code) => {
    const text = `My key: ${code}. It replaces ${common}, thanks`;
    const found = findCodes(text, { patterns: codePatternsOf(connections) });
    expect(found.map((one) => one.code)).toEqual([code, common]);
  },
);

test.each([
  ['gumroad', ofGroups, true],
  ['gumroad', ofGroups.replaceAll('-', ''), false],
  ['gumroad', common, false],
  ['lemon-squeezy', common, true],
  [undefined, common, false],
] as const)('of %s %s is spelled as its codes are: %s', (marketplace, code, isSo) => {
  expect(hasFormOf(marketplace === undefined ? {} : { marketplace }, code)).toBe(isSo);
});

test('each marketplace is described to whoever connects it', () => {
  const described = marketplaceIds.map((id) => placeOf(id));
  expect(new Set(described.map(({ name }) => name)).size).toBe(marketplaceIds.length);
  for (const { name, keyAt } of described) {
    expect(name).not.toBe('');
    expect(keyAt).not.toBe('');
  }
  for (const baseAddress of described.flatMap((place) => place.baseAddress ?? [])) {
    expect(parseBaseAddress(baseAddress)).toMatchObject(succeed({ address: baseAddress }));
  }
});

test.each([undefined, ...marketplaceIds])(
  'of %s descriptor and reader ask for a key alike',
  (id) => {
    const place = id === undefined ? {} : { marketplace: id };
    const { keyless, purchase } = marketplaceOf(place);
    expect(keyless !== true).toBe(needsKey(place));
    expect(purchase('', {}).keyless).toBe(keyless);
  },
);

test.each(marketplaceIds.flatMap((id) => codeForms[id].map((form) => [id, form] as const)))(
  'of %s the form %s can be looked for',
  (_, form) => {
    expect(parseCodePattern(form)).toMatchObject({ ok: true });
  },
);

test('a pattern that several connections have is looked for once, beside their own', () => {
  const dialect = { ...defaultDialect, codePattern: 'LIC-9999' };
  expect(codePatternsOf([at('own', {})])).toEqual([]);
  expect(
    codePatternsOf([
      at('own', { dialect }),
      at('odd', { dialect, marketplace: 'gumroad' as const }),
    ]),
  ).toEqual(['LIC-9999', 'HHHHHHHH-HHHHHHHH-HHHHHHHH-HHHHHHHH']);
});
