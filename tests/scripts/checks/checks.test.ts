import { expect, test } from 'vitest';

import { buildsAndTests, fastChecks, aloneWithReaders } from '#scripts/checks/checks';

const wholes = new Map([['unit:fast', ['unit:fast', 'unit:programs', 'unit:alone']]]);

test('what `npm run check` runs in part, `npm test` runs whole', () => {
  const whole = [...buildsAndTests(), ...aloneWithReaders].map(({ script }) => script);
  expect(fastChecks).not.toHaveLength(0);
  for (const { script } of fastChecks)
    expect(whole).toEqual(
      expect.arrayContaining(wholes.get(script) ?? [script.replace(':fast', '')]),
    );
});
