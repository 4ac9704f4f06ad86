import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { SelfTestReport } from '#core/verifier/verifier-request';
import { verifyPort } from '#stores/verifier/ports';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';

/** Runs published vectors and crafted cases in this browser, in both engines. */
export const useSelfTest = defineStore('verifier-self-test', () => {
  const verify = usePort(verifyPort);
  const report = ref<SelfTestReport>();
  const state = ref<'idle' | 'running' | 'done' | 'lost'>('idle');

  const runs = latest();

  async function run(): Promise<void> {
    const { isLatest } = runs.begin();
    state.value = 'running';
    const answer = await verify.ask({ ask: 'self-test' }).catch(() => undefined);
    if (!isLatest()) return;
    report.value = answer;
    state.value = answer === undefined ? 'lost' : 'done';
  }

  return { report, state, run };
});
