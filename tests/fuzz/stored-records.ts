import { secretForm } from '#adapters/secrets/record';
import { authorityForm } from '#adapters/storage/authority-store';
import { latestMomentForm } from '#adapters/storage/clock-memory';
import { connectionForm } from '#adapters/storage/connection-store';
import { entryForm, historySettingsForm } from '#adapters/storage/history-store';
import { itemForm, listingForm } from '#adapters/storage/item-cache';
import { jobForm, rowForm } from '#adapters/storage/job-store';
import { pinnedKeyForm } from '#adapters/storage/key-ring';
import type { RecordForm } from '#adapters/storage/migrations';
import { preferencesForm } from '#adapters/storage/preference-setting';
import { replyTemplatesForm } from '#adapters/storage/reply-templates';
import { siteForm } from '#adapters/storage/site-store';

import databases from '../fixtures/stored-before-versions/databases.json' with { type: 'json' };
import extensionStorage from '../fixtures/stored-before-versions/extension-storage.json' with { type: 'json' };

/** A form of stored records, and a record that it reads. */
interface StoredSample {
  readonly form: RecordForm<object>;
  readonly sample: object;
}

const { connections, authorities, sites, history, jobs, items } = databases;
const [[, connectionList]] = connections.stores.records.entries as [[string, object[]]];
const [[, authorityList]] = authorities.stores.records.entries as [[string, object[]]];
const [[, siteList]] = sites.stores.records.entries as [[string, object[]]];
const [[, keyList]] = databases['key-ring'].stores.keys.entries as [[string, object[]]];

const samplesOf = (form: RecordForm<object>, samples: readonly object[]): StoredSample[] =>
  samples.flatMap((sample) => [
    { form, sample },
    { form, sample: { ...sample, version: 1 } },
  ]);
const valuesOf = (entries: readonly unknown[]): object[] =>
  (entries as [unknown, object][]).slice(0, 2).map(([, value]) => value);

/** Holds samples of every kind of stored record, as release 0.1.0 wrote them and with a version. */
export const storedRecords: readonly StoredSample[] = [
  ...samplesOf(connectionForm, connectionList),
  ...samplesOf(authorityForm, authorityList),
  ...samplesOf(siteForm, siteList),
  ...samplesOf(pinnedKeyForm, keyList),
  ...samplesOf(entryForm, valuesOf(history.stores.entries.entries)),
  ...samplesOf(jobForm, valuesOf(jobs.stores.jobs.entries)),
  ...samplesOf(rowForm, valuesOf(jobs.stores.rows.entries)),
  ...samplesOf(itemForm, valuesOf(items.stores.items.entries)),
  ...samplesOf(listingForm, valuesOf(items.stores.listings.entries)),
  ...samplesOf(preferencesForm, [extensionStorage.local.preferences]),
  ...samplesOf(replyTemplatesForm, [extensionStorage.local['reply-templates']]),
  ...samplesOf(historySettingsForm, valuesOf(history.stores.settings.entries).slice(1)),
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
