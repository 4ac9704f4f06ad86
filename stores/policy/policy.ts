import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';

import { locksExpectedItem, type PolicyState } from '#core/policy/index';
import { namesTemplate, type ReplyTemplate } from '#core/reply-templates/index';
import { latest } from '#stores/latest';
import { askPort, usePort } from '#stores/ports';
import type { EntryIds } from '#core/settings-import/index';

/** What the organization has set in this browser. Nothing is locked until it has been read. */
export const usePolicy = defineStore('policy', () => {
  const ask = usePort(askPort);
  const state = shallowRef<PolicyState>();
  const known = computed(() => state.value !== undefined);
  const loads = latest();

  /** The policy in force; undefined without one. */
  const policy = computed(() => state.value?.policy ?? undefined);
  const fault = computed(() => state.value?.fault ?? undefined);

  async function load(): Promise<void> {
    const { isLatest } = loads.begin();
    const read = await ask('policy.state', {});
    if (isLatest()) state.value = read;
  }

  /** Tells whether an entry belongs to the policy. @param id the id of a site is its origin */
  function locks(list: Exclude<keyof EntryIds, 'templates'>, id: string | undefined): boolean {
    return id !== undefined && state.value?.locked[list].includes(id) === true;
  }

  function locksItemOf(origin: string): boolean {
    return locks('sites', origin) && locksExpectedItem(policy.value ?? null, origin);
  }

  function locksTemplate(template: ReplyTemplate): boolean {
    return namesTemplate(state.value?.locked.templates ?? [], template);
  }

  return { state, known, policy, fault, load, locks, locksItemOf, locksTemplate };
});
