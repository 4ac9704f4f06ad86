import type { App } from 'vue';

import { type SaveFile, saveFilePort } from '#stores/ports';
import {
  type ClockMemoryPort,
  clockMemoryPort,
  type Home,
  homePort,
  type KeyRingPort,
  keyRingPort,
  type SharedContentPort,
  sharedContentPort,
  type Verify,
  verifyPort,
} from '#stores/verifier/ports';

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
