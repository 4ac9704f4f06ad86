import { expect, it } from 'vitest';

import { defaultHistorySettings } from '#core/history/entry';
import { privacyChanges } from '#core/settings/privacy-changes';

const privacy = {
  pictures: true,
  maskCodes: true,
  selectionAtOnce: true,
  history: defaultHistorySettings,
};

it('only what differs is a change, the history’s settings among it', () => {
  const wanted = { ...privacy, pictures: false, history: { ...privacy.history, days: 90 } };
  expect(privacyChanges(privacy, privacy)).toEqual([]);
  expect(privacyChanges(privacy, wanted)).toEqual([
    { setting: 'pictures', value: false },
    { setting: 'days', value: 90 },
  ]);
});
