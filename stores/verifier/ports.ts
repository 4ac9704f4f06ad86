import type { App, Component, InjectionKey } from 'vue';

import type { KeyRingPort } from '#core/key-ring/index';
import type { SharedContent } from '#core/site/share-rule';
import type { Verify } from '#core/verifier/index';
import { type SaveFile, saveFilePort } from '#stores/ports';

export const verifyPort: InjectionKey<Verify> = Symbol('verify');

export const keyRingPort: InjectionKey<KeyRingPort> = Symbol('key ring');

/** Remembers the latest moment that this device's clock has shown, epoch milliseconds. */
export interface ClockMemoryPort {
  note(now: number): Promise<number>;
  reset(now: number): Promise<void>;
}
export const clockMemoryPort: InjectionKey<ClockMemoryPort> = Symbol('clock memory');

export interface SharedContentPort {
  /** Returns the oldest waiting share, without removing it. */
  peek(): Promise<SharedContent<Blob> | undefined>;
  drop(id: string): Promise<void>;
}
export const sharedContentPort: InjectionKey<SharedContentPort> = Symbol('shared content');

/** The functions that differ between the app's two homes, the extension and the site. */
export interface Home {
  readonly name: 'extension' | 'site';
  /** Passes a purchase code to the check; absent if there is no check. */
  readonly checkCode?: (code: string) => void;
  /** Its controls in the page's head; absent if other pages have them. */
  readonly controls?: Component;
}
export const homePort: InjectionKey<Home> = Symbol('home');

/** The ports of the verifier's stores, besides the clock and the clipboard. Entry files bind each. */
export const verifierPorts = {
  verify: verifyPort,
  keyRing: keyRingPort,
  clockMemory: clockMemoryPort,
  home: homePort,
} as const;

/** The ports of the verifier, in the extension and on the site, besides the clock and the clipboard. */
export interface VerifierPorts {
  readonly home: Home;
  readonly verify: Verify;
  readonly keyRing: KeyRingPort;
  readonly clockMemory: ClockMemoryPort;
  readonly sharedContent: SharedContentPort;
  readonly saveFile: SaveFile;
}

/** Binds every port of the verifier; the compiler reports a missing one. */
export function provideVerifier(app: App, ports: VerifierPorts): void {
  app
    .provide(homePort, ports.home)
    .provide(verifyPort, ports.verify)
    .provide(keyRingPort, ports.keyRing)
    .provide(clockMemoryPort, ports.clockMemory)
    .provide(sharedContentPort, ports.sharedContent)
    .provide(saveFilePort, ports.saveFile);
}
