import { expect, test } from 'vitest';

import { badgeOf } from '#components/verifier/result/messages';
import { groupOf, resultGroups, toneOfGroup } from '#components/verifier/result/groups';
import type {
  FileStanding,
  HeadlineSentence,
  InspectionHeadline,
} from '#core/license/inspect/inspection';

function headline(tone: InspectionHeadline['tone'], id: HeadlineSentence['id']) {
  return { tone, sentences: [{ id, data: {} }], test: false };
}

test.each([
  ['activated', 'good', 'activated', { word: 'activated', tone: 'good' }],
  ['activated', 'caution', 'activated', { word: 'activated', tone: 'good' }],
  ['activated', 'caution', 'license-expired', { word: 'license-expired', tone: 'warn' }],
  ['activated', 'bad', 'mismatch-domain', { word: 'mismatch-domain', tone: 'bad' }],
  ['grace', 'bad', 'mismatch-product', { word: 'mismatch-product', tone: 'bad' }],
  ['denied', 'bad', 'denied-refused', { word: 'denied-refused', tone: 'bad' }],
  ['not-activated', 'bad', 'denied-refused', { word: 'denied-refused', tone: 'bad' }],
  ['denied', 'bad', 'denied', { word: 'denied', tone: 'bad' }],
  ['unverified', 'bad', 'license-not-genuine', { word: 'invalid', tone: 'bad' }],
  ['unverified', 'unknown', 'nothing-found', { word: 'no-license', tone: 'plain' }],
  ['unverified', 'unknown', 'source-image', { word: 'no-license', tone: 'plain' }],
  ['unverified', 'unknown', 'license-unknown-key', { word: 'unverified', tone: 'note' }],
] as const)('%s under a headline that is %s and leads with %s', (standing, tone, id, badge) => {
  expect(badgeOf(standing, headline(tone, id))).toEqual(badge);
});

test('a standing without a headline stands for itself', () => {
  expect(badgeOf('grace')).toEqual({ word: 'grace', tone: 'warn' });
});

test.each<[FileStanding, HeadlineSentence['id'], string]>([
  ['activated', 'activated', 'activated'],
  ['activated', 'mismatch-domain', 'contradicted'],
  ['activated', 'license-expired', 'license-expired'],
  ['not-activated', 'denied-refused', 'denied-refused'],
  ['unverified', 'license-no-key-fits', 'invalid'],
])('a row that is %s and leads with %s stands with the %s ones', (standing, id, group) => {
  expect(groupOf({ standing, headline: headline('bad', id) })).toBe(group);
});

test('groups stand from the worst to the best, each in its badge’s colour', () => {
  expect(resultGroups.map(toneOfGroup).join(' ')).toBe(
    'bad bad bad bad warn warn warn warn warn note plain good',
  );
});
