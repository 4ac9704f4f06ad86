import { type Pinia, createPinia } from 'pinia';
import { type App, createApp } from 'vue';

import { listen } from '#adapters/browser/announcements';
import { succeed } from '#core/result';
import { jobsPort } from '#stores/bulk/ports';
import { historyChangesPort, historyPort } from '#stores/history/ports';
import { itemsPort } from '#stores/items/ports';
import { accessPort, askPort, clockPort } from '#stores/ports';
import { preferencePort } from '#stores/settings/ports';
import type { WorkerHarness } from '#tests/background/worker-harness';
import type { JobUpdate } from '#core/jobs/index';

/** Makes a Pinia whose stores ask the whole worker and read what it stores. */
export function withWorker(
  harness: WorkerHarness,
  bind: (app: App) => unknown = () => undefined,
): Pinia {
  const pinia = createPinia();
  const app = createApp({})
    .use(pinia)
    .provide(askPort, (topic, body) => harness.ask(topic, body))
    .provide(clockPort, () => Date.now())
    .provide(accessPort, () => Promise.resolve(true))
    .provide(jobsPort, { ...harness.jobs, watch: (changed) => watchJobs(harness, changed) })
    .provide(itemsPort, harness.items)
    .provide(historyPort, harness.history)
    .provide(historyChangesPort, (changed) => listen('history', changed))
    .provide(preferencePort, {
      read: () => Promise.resolve(undefined),
      change: () => Promise.resolve(succeed(undefined)),
      watch: () => undefined,
    });
  bind(app);
  return pinia;
}

/** Hands on what the worker announces, as the broadcast channel does: in order, and a little later. */
function watchJobs({ news }: WorkerHarness, changed: (update: JobUpdate) => void): () => void {
  let seen = news.length;
  const timer = setInterval(() => {
    for (const update of news.slice(seen)) changed(structuredClone(update));
    seen = news.length;
  }, 5);
  return () => {
    clearInterval(timer);
  };
}
