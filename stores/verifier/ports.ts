import type { App, Component, InjectionKey } from 'vue';

import type { KeyRingPort } from '#core/key-ring/index';
import type { SharedContent } from '#core/site/share-rule';
import type { Verify } from '#core/verifier/index';
import { type SaveFile, saveFilePort } from '#stores/ports';

export const verifyPort: InjectionKey<Verify> = Symbol('verify');

export const keyRingPort: InjectionKey<KeyRingPort> = Symbol('key ring');

/** Remembers the latest moment this device's clock has shown, epoch milliseconds. */
export interface ClockMemoryPort {
  note(now: number): Promise<number>;
  reset(now: number): Promise<void>;
}
export const clockMemoryPort: InjectionKey<ClockMemoryPort> = Symbol('clock memory');

export interface SharedContentPort {
  /** Returns what waits longest, and leaves it where it is. */
  peek(): Promise<SharedContent<Blob> | undefined>;
  drop(id: string): Promise<void>;
}
export const sharedContentPort: InjectionKey<SharedContentPort> = Symbol('shared content');

/** The home of the app: the extension or the site. Provides the functions that only one of them has. */
export interface Home {
  readonly name: 'extension' | 'site';
  /** Hands a purchase code to the check; absent where there is none. */
  readonly checkCode?: (code: string) => void;
  /** Its own controls in the page's head; absent where other pages have them. */
  readonly controls?: Component;
}
export const homePort: InjectionKey<Home> = Symbol('home');

/** Names what the verifier's stores need from outside besides clock and clipboard. Entry files bind each. */
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

/** Binds every port of the verifier; the compiler names the one that is missing. */
export function provideVerifier(app: App, ports: VerifierPorts): void {
  app
    .provide(homePort, ports.home)
    .provide(verifyPort, ports.verify)
    .provide(keyRingPort, ports.keyRing)
    .provide(clockMemoryPort, ports.clockMemory)
    .provide(sharedContentPort, ports.sharedContent)
    .provide(saveFilePort, ports.saveFile);
}
