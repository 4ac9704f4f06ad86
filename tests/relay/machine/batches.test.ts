import { expect, test } from 'vitest';

import { inBatches } from '#relay/machine/batches';

/** Asks for work that ends when the test says so; tells which groups have begun, and what became of those who asked. */
function grouped(endsAll = false) {
  const groups: string[][] = [];
  const ends: PromiseWithResolvers<undefined>[] = [];
  const states: string[] = [];
  const ask = inBatches<string, string>(
    async (all) => {
      groups.push([...all]);
      const end = Promise.withResolvers<undefined>();
      ends.push(end);
      await end.promise;
      return all;
    },
    () => endsAll,
  );
  const follow = (name: string): void => {
    ask(name).then(
      (answer) => states.push(answer),
      () => states.push(`${name} failed`),
    );
  };
  /** Lets what was planned begin, and what has ended be told. */
  const turn = async (): Promise<void> => {
    for (let n = 0; n < 3; n += 1) await new Promise(setImmediate);
  };
  return { follow, groups, ends, states, turn };
}

test('who asks at once shares a group, and who comes while it is under way waits for the next', async () => {
  const { follow, groups, ends, states, turn } = grouped();
  follow('first');
  follow('second');
  await turn();
  follow('third');
  await turn();
  expect(groups).toEqual([['first', 'second']]);
  ends[0]?.resolve(undefined);
  await turn();
  expect([states, groups]).toEqual([
    ['first', 'second'],
    [['first', 'second'], ['third']],
  ]);
  ends[1]?.reject(new Error('EIO'));
  await turn();
  expect(states).toEqual(['first', 'second', 'third failed']);
});

test('an error that ends all ends those too who wait', async () => {
  const { follow, groups, ends, states, turn } = grouped(true);
  follow('first');
  await turn();
  follow('second');
  ends[0]?.reject(new Error('gone'));
  await turn();
  expect([states, groups]).toEqual([['first failed', 'second failed'], [['first']]]);
});
