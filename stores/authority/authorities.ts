import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import type { AuthorityState } from '#core/authority/index';
import type { SetByPolicy } from '#core/policy/index';
import type { StorageFull } from '#core/storage/index';
import { askPort, usePort } from '#stores/ports';
import { useEditableList } from '#stores/ui/editable-list';

/** The license authorities, which are changed through the worker. */
export const useAuthorities = defineStore('authorities', () => {
  const ask = usePort(askPort);
  const { list, load, find, put, remove, allow } = useEditableList<AuthorityState>({
    name: 'authorities',
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    addressOf: ({ address }) => address,
    load: () => ask('authorities.list', {}),
    remove: async ({ id }) => {
      const removed = await ask('authorities.delete', { id });
      fault.value = removed.ok ? undefined : removed.fault;
      return removed.ok ? removed.value : undefined;
    },
    restore: ({ id }) => ask('authorities.restore', { id }),
  });

  /** Why the latest deletion was not stored. */
  const fault = shallowRef<StorageFull | SetByPolicy>();

  return { list, fault, load, find, put, remove, allow };
});
