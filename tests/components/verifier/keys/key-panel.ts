import { defineComponent, h } from 'vue';

import KeyPanel from '#components/verifier/keys/KeyPanel.vue';
import verifier from '#locales/en/verifier.json';
import { useVerifierKeys } from '#stores/verifier/index';
import { keyRingPort, verifyPort } from '#stores/verifier/ports';
import { mounting } from '#tests/components/mounted';
import { pinned } from '#tests/core/license/documents';
import { signer } from '#tests/core/license/inspect/inspecting';
import { createInProcessVerify, createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';

type MemoryKeyRing = ReturnType<typeof createMemoryKeyRing>;

/** Mounts the panel of public keys over a key ring, one with a pinned key where none is given. Returns the ring. */
export function mountKeyPanel(ring = createMemoryKeyRing([pinned(signer)])): MemoryKeyRing {
  mounting(
    defineComponent(() => {
      void useVerifierKeys().load();
      return () => h(KeyPanel, { beside: false });
    }),
    {
      script: {},
      messages: verifier,
      ports: (app) => app.provide(verifyPort, createInProcessVerify()).provide(keyRingPort, ring),
    },
  );
  return ring;
}
