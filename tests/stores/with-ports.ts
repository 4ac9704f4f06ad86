import { createPinia, type Pinia } from 'pinia';
import { type App, createApp } from 'vue';

import { succeed } from '#core/result';
import type { Ask } from '#messaging/index';
import { accessPort, askPort, clockPort, copyPort, optionsPort } from '#stores/ports';
import { preferencePort } from '#stores/settings/ports';
import { now } from '#tests/stores/check/samples';

export interface PageHarness {
  ask: Ask;
  clock?: () => number;
  access?: (baseAddress: string) => Promise<boolean>;
  preferences?: unknown;
  /** Binds further ports. */
  provide?: (app: App) => void;
}

/** Makes a Pinia whose stores find every port bound. */
export function withPorts({ ask, clock, access, preferences, provide }: PageHarness): Pinia {
  const pinia = createPinia();
  const app = createApp({})
    .use(pinia)
    .provide(askPort, ask)
    .provide(clockPort, clock ?? (() => now))
    .provide(accessPort, access ?? (() => Promise.resolve(true)))
    .provide(copyPort, () => Promise.resolve(true))
    .provide(optionsPort, () => undefined)
    .provide(preferencePort, {
      read: () => Promise.resolve(preferences),
      change: () => Promise.resolve(succeed(undefined)),
      watch: () => undefined,
    });
  provide?.(app);
  return pinia;
}
