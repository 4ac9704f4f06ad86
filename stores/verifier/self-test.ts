import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { SelfTestReport } from '#core/verifier/verifier-request';
import { verifyPort } from '#stores/verifier/ports';
import { usePort } from '#stores/ports';

/** Published vectors and crafted cases, run in this very browser, in both engines. */
export const useSelfTest = defineStore('verifier-self-test', () => {
  const verify = usePort(verifyPort);
  const report = ref<SelfTestReport>();
  const state = ref<'idle' | 'running' | 'done' | 'lost'>('idle');

  async function run(): Promise<void> {
    state.value = 'running';
    try {
      report.value = await verify.ask({ ask: 'self-test' });
      state.value = 'done';
    } catch {
      state.value = 'lost';
    }
  }

  return { report, state, run };
});
