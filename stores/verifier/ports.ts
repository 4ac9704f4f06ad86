import type { App, Component, InjectionKey } from 'vue';

import type { KeyRingPort } from '#core/key-ring/ring';
import type { LinkedFileFault } from '#core/ticket/linked-file';
import type { VerifierReply, VerifierRequest } from '#core/verifier/verifier-request';
import { type SaveFile, saveFilePort } from '#stores/ports';

/** What the verifier's stores need from outside, besides the clock and the clipboard. Entry files bind each with `provide`. */

/** Asks a verify worker. Rejects when the worker was lost or ended for taking too long. */
export interface Verify {
  /** How many workers there are at most. */
  readonly size: number;
  ask<Q extends VerifierRequest>(question: Q): Promise<VerifierReply<Q>>;
}
export const verifyPort: InjectionKey<Verify> = Symbol('verify');

export const keyRingPort: InjectionKey<KeyRingPort> = Symbol('key ring');

/** Remembers the latest moment this device's clock has shown, epoch milliseconds. */
export interface ClockMemoryPort {
  note(now: number): Promise<number>;
  reset(now: number): Promise<void>;
}
export const clockMemoryPort: InjectionKey<ClockMemoryPort> = Symbol('clock memory');

/** Holds what another app, or another page of ours, has left to be opened. */
export interface SharedContent {
  readonly id: string;
  /** The agent asked for it to be opened here, a moment ago: it needs no second confirmation. */
  readonly asked?: true;
  /** More files were dropped than are opened at once. */
  readonly cut?: boolean;
  /** A linked file that could not be fetched, and why. */
  readonly notFetched?: { readonly name: string; readonly kind: LinkedFileFault };
  readonly text: string;
  readonly files: readonly {
    readonly name: string;
    readonly size: number;
    readonly content?: Blob;
  }[];
  /** Files that were not kept, as there were too many. */
  readonly filesLeftOut?: number;
  /** Nothing of it was kept. */
  readonly tooLarge?: boolean;
  /** Shares that wait behind this one. */
  readonly more?: number;
  /** Shares that came later and were not kept, as too many waited. */
  readonly missed?: number;
}
export interface SharedContentPort {
  /** Returns what waits longest, and leaves it where it is. */
  peek(): Promise<SharedContent | undefined>;
  drop(id: string): Promise<void>;
}
export const sharedContentPort: InjectionKey<SharedContentPort> = Symbol('shared content');

/** Tells where the app lives, and provides what only one of its homes can do. */
export interface Home {
  readonly name: 'extension' | 'site';
  /** Hands a purchase code to the check; absent where there is none. */
  readonly checkCode?: (code: string) => void;
  /** Its own controls in the page's head; absent where other pages have them. */
  readonly controls?: Component;
}
export const homePort: InjectionKey<Home> = Symbol('home');

/** Holds the ports of the verifier, in the extension and on the site, besides the clock and the clipboard. */
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
