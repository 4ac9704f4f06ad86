import { createPinia, type Pinia } from 'pinia';
import { createApp } from 'vue';

import type { Ask } from '#messaging/protocol';
import { accessPort, askPort, clockPort, copyPort, optionsPort } from '#stores/ports';
import { preferencePort } from '#stores/settings/ports';
import { now } from '#tests/stores/check/samples';

export interface Outside {
  ask: Ask;
  clock?: () => number;
  access?: (baseAddress: string) => Promise<boolean>;
  preferences?: unknown;
}

/** A Pinia whose stores find every port bound. */
export function withPorts({ ask, clock, access, preferences }: Outside): Pinia {
  const pinia = createPinia();
  createApp({})
    .use(pinia)
    .provide(askPort, ask)
    .provide(clockPort, clock ?? (() => now))
    .provide(accessPort, access ?? (() => Promise.resolve(true)))
    .provide(copyPort, () => Promise.resolve(true))
    .provide(optionsPort, () => undefined)
    .provide(preferencePort, {
      read: () => Promise.resolve(preferences),
      write: () => Promise.resolve(),
      watch: () => undefined,
    });
  return pinia;
}
