import { createPinia, type Pinia } from 'pinia';
import { createApp } from 'vue';

import { type KeyRingPort, readRing, type UnusedKeys } from '#core/key-ring/index';
import { parsePublicKey, type PinnedKey } from '#core/keys/index';
import { succeed } from '#core/result';
import { type VerifierRequest, type Verify, createVerifier } from '#core/verifier/index';
import { clockPort } from '#stores/ports';
import {
  clockMemoryPort,
  keyRingPort,
  type SharedContentPort,
  sharedContentPort,
  verifyPort,
} from '#stores/verifier/ports';

/** Serves as a verify port whose answers wait for {@link HeldVerify.release} while it is held. */
export interface HeldVerify extends Verify {
  /** What was asked, the oldest first. */
  readonly requests: readonly VerifierRequest[];
  hold(): void;
  /** Lets one held answer out, counted from the oldest request that is still held. */
  release(place?: number): Promise<void>;
  /** Makes later requests fail as if their worker had been lost, until told otherwise. */
  lose(lost: boolean): void;
}

/** Runs the core verifier in this process. */
export function createInProcessVerify(size = 2): HeldVerify {
  const verifier = createVerifier();
  const requests: VerifierRequest[] = [];
  const waiting: (() => void)[] = [];
  let held = false;
  let lost = false;
  return {
    size,
    requests,
    async ask(question) {
      requests.push(question);
      const isLost = lost;
      const released = held
        ? new Promise<void>((resolve) => {
            waiting.push(resolve);
          })
        : undefined;
      const answer = await verifier.answer(question);
      await released;
      if (isLost) throw new Error('A verify worker was lost.');
      return answer;
    },
    hold() {
      held = true;
    },
    async release(place = 0) {
      waiting.splice(place, 1)[0]?.();
      await settled();
    },
    lose(to) {
      lost = to;
    },
  };
}

/** Keeps a key ring in memory, read through the same reader as the stored one. */
export function createMemoryKeyRing(keys: readonly PinnedKey[] = []): KeyRingPort & {
  /** Writes as another window does, and tells those who watch. */
  changeElsewhere(keys: readonly PinnedKey[]): void;
  full: boolean;
  left: UnusedKeys;
} {
  let stored: unknown = structuredClone(keys);
  const watchers = new Set<() => void>();
  return {
    full: false,
    left: { unreadable: 0, newer: false },
    unused() {
      return Promise.resolve(this.left);
    },
    removeUnreadable() {
      this.left = { ...this.left, unreadable: 0 };
      return Promise.resolve();
    },
    read: () => Promise.resolve(readRing(structuredClone(stored))),
    change(edit) {
      if (this.full) return Promise.resolve({ ok: false, fault: { kind: 'not-stored' } });
      const after = [...edit(readRing(structuredClone(stored)))];
      stored = structuredClone(after);
      return Promise.resolve(succeed(after));
    },
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    changeElsewhere(keys) {
      stored = structuredClone(keys);
      for (const changed of watchers) changed();
    },
  };
}

/** Returns a key as it stands in the ring once its fingerprint was confirmed. */
export function pinnedKey(pem: string, changes: Partial<PinnedKey> = {}): PinnedKey {
  const key = parsePublicKey(pem);
  if (!key.ok) throw new Error(key.fault.kind);
  const { raw, fingerprint } = key.value;
  return { id: fingerprint, label: '', raw, fingerprint, revoked: false, kind: 'live', ...changes };
}

interface Ports {
  readonly verify?: Verify;
  readonly ring?: KeyRingPort;
  readonly clock?: () => number;
  readonly sharedContent?: SharedContentPort;
}

/** Makes a Pinia whose verifier stores find every port bound. */
export function withVerifierPorts({ verify, ring, clock, sharedContent }: Ports = {}): Pinia {
  const pinia = createPinia();
  let latestSeen = 0;
  createApp({})
    .use(pinia)
    .provide(verifyPort, verify ?? createInProcessVerify())
    .provide(keyRingPort, ring ?? createMemoryKeyRing())
    .provide(clockPort, clock ?? (() => Date.now()))
    .provide(clockMemoryPort, {
      note: (now) => Promise.resolve((latestSeen = Math.max(latestSeen, now))),
      reset: (now) => {
        latestSeen = now;
        return Promise.resolve();
      },
    })
    .provide(
      sharedContentPort,
      sharedContent ?? { peek: () => Promise.resolve(undefined), drop: () => Promise.resolve() },
    );
  return pinia;
}

/** Lets every promise that can settle now do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
