import { secretForm } from '#adapters/secrets/wrapping';
import { authorityForm, connectionForm, siteForm } from '#adapters/storage/worker/connection-store';
import { latestMomentForm } from '#adapters/storage/page/verifier-stores';
import { pinnedKeyForm } from '#adapters/storage/pinned-key-form';
import { entryForm, historySettingsForm } from '#adapters/storage/history-store';
import { itemForm, listingForm } from '#adapters/storage/item-cache';
import { jobForm, rowForm } from '#adapters/storage/job-store';
import type { RecordForm } from '#adapters/storage/tables';
import { preferencesForm } from '#adapters/storage/preference-setting';
import { replyTemplatesForm } from '#adapters/storage/reply-templates';

import databases from '../fixtures/stored-by-0.2.0/databases.json' with { type: 'json' };
import extensionStorage from '../fixtures/stored-by-0.2.0/extension-storage.json' with { type: 'json' };

/** A form of stored records, and a record that it reads. */
interface StoredSample {
  readonly form: RecordForm<object>;
  readonly sample: object;
}

const {
  lists,
  history,
  'history-values': values,
  jobs,
  rows,
  items,
  listings,
} = databases[''].stores;
const [connectionList = [], authorityList = [], siteList = [], keyList = []] = (
  lists.entries as unknown as [string, object[]][]
).map(([, list]) => list);

const samplesOf = (form: RecordForm<object>, samples: readonly object[]): StoredSample[] =>
  samples.flatMap((sample) => [
    { form, sample },
    { form, sample: { ...sample, version: 0 } },
  ]);
const valuesOf = (entries: readonly unknown[]): object[] =>
  (entries as [unknown, object][]).slice(0, 2).map(([, value]) => value);

/** Holds samples of every kind of stored record, as 0.2.0 wrote them and without a version. */
export const storedRecords: readonly StoredSample[] = [
  ...samplesOf(connectionForm, connectionList),
  ...samplesOf(authorityForm, authorityList),
  ...samplesOf(siteForm, siteList),
  ...samplesOf(pinnedKeyForm, keyList),
  ...samplesOf(entryForm, valuesOf(history.entries)),
  ...samplesOf(jobForm, valuesOf(jobs.entries)),
  ...samplesOf(rowForm, valuesOf(rows.entries)),
  ...samplesOf(itemForm, valuesOf(items.entries)),
  ...samplesOf(listingForm, valuesOf(listings.entries)),
  ...samplesOf(preferencesForm, [extensionStorage.local.preferences]),
  ...samplesOf(replyTemplatesForm, [extensionStorage.local['reply-templates']]),
  ...samplesOf(historySettingsForm, valuesOf(values.entries).slice(1)),
  ...samplesOf(latestMomentForm, [{ at: 1789376400000 }]),
  ...samplesOf(secretForm, Object.values(extensionStorage.secrets)),
];

/** Lists values that IndexedDB stores and JSON does not. */
export const otherValues: readonly unknown[] = [
  undefined,
  NaN,
  Infinity,
  1n,
  new Date(NaN),
  new Map([['a', 1]]),
  new Uint8Array(3),
];
