import { defineComponent, h } from 'vue';

import KeyPanel from '#components/verifier/keys/KeyPanel.vue';
import verifier from '#locales/en.verifier.json';
import { useVerifierKeys } from '#stores/verifier/keys';
import { keyRingPort, verifyPort } from '#stores/verifier/ports';
import { mounting } from '#tests/components/mounted';
import { pinned } from '#tests/core/license/documents';
import { signer } from '#tests/core/license/inspect/inspecting';
import { createInProcessVerify, createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';

/** Mounts the panel of public keys, with one that is pinned. Returns its key ring. */
export function mountKeyPanel(): ReturnType<typeof createMemoryKeyRing> {
  const ring = createMemoryKeyRing([pinned(signer)]);
  mounting(
    defineComponent(() => {
      void useVerifierKeys().load();
      return () => h(KeyPanel);
    }),
    {
      script: {},
      messages: verifier,
      ports: (app) => app.provide(verifyPort, createInProcessVerify()).provide(keyRingPort, ring),
    },
  );
  return ring;
}
