import { expect, test } from 'vitest';

import { messageProblems } from '#scripts/checks/messages';
import { textsIn } from '#scripts/translations/texts';

test('a message that nobody uses and a lookup that finds none are named', () => {
  const keys = textsIn({
    page: { title: '', old: '', state: { open: '', shut: '', 'is-lit': '' } },
    noKey: { neverEntered: '' },
    fault: { offline: { title: '', why: '' } },
  }).map(([name]) => name);
  const sources = [
    "t('page.title'); t('page.titel'); t(`noKey.${camel(reason)}`); t(`page.kind.${kind}`);",
    "const key = 'fault.offline'; t(`${key}.title`); t(`page.state.${state}`); 'open' 'never-entered' 'lit' `is-${look}`",
  ];
  expect(messageProblems(keys, sources)).toEqual([
    'page.old: nobody uses it',
    'page.state.shut: nobody uses it',
    'fault.offline.why: nobody uses it',
    'page.titel: no catalogue has it',
    'page.kind.*: no catalogue has it',
  ]);
});
