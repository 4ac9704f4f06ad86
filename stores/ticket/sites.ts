import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { SiteState } from '#messaging/ticket/protocol';
import { accessPort, askPort, usePort } from '#stores/ports';

/** The help desks in whose pages verdicts are shown. */
export const useSites = defineStore('sites', () => {
  const ask = usePort(askPort);
  const requestAccess = usePort(accessPort);

  /** Undefined until the worker has answered once. */
  const list = ref<SiteState[]>();

  async function load(): Promise<SiteState[]> {
    return (list.value = await ask('sites.list', {}));
  }

  /** Undefined as well where the browser does not permit it at present. */
  function find(origin: string | undefined): SiteState | undefined {
    return list.value?.find((site) => site.origin === origin && site.permitted);
  }

  /**
   * Must be called in the task of a click. The worker is told at once, since the browser's prompt may close this page: what
   * the agent then answers there decides. A refusal that does come back takes the site out again.
   */
  async function allow(origin: string): Promise<boolean> {
    const answered = requestAccess(origin);
    const known = list.value?.some((site) => site.origin === origin) === true;
    const told = ask('sites.allow', { origin });
    const [granted] = await Promise.all([answered, told]);
    list.value = await (granted || known
      ? ask('sites.allow', { origin })
      : ask('sites.remove', { origin }));
    return granted;
  }

  async function remove(origin: string): Promise<void> {
    list.value = await ask('sites.remove', { origin });
  }

  async function setAutomatic(origin: string, on: boolean): Promise<void> {
    list.value = await ask('sites.set-automatic', { origin, on });
  }

  return { list, load, find, allow, remove, setAutomatic };
});
