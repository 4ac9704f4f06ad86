import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import { fail, type Result, succeed } from '#core/result';
import type { Refusal, Reply } from '#messaging/index';
import { accessPort, askPort, clockPort, usePort } from '#stores/ports';
import { useEditableList } from '#stores/ui/editable-list';
import { undoMs } from '#core/storage/index';
import type { ExpectedItem } from '#core/items/index';

type SiteFault = Refusal<'sites.remove'>;
export type SiteState = Reply<'sites.list'>[number];

/** The help desks on whose pages verdicts are shown, which are changed through the worker. */
export const useSites = defineStore('sites', () => {
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const requestAccess = usePort(accessPort);
  const { list, load, take, find, remove } = useEditableList<SiteState>({
    name: 'sites',
    idOf: ({ origin }) => origin,
    nameOf: ({ origin }) => origin,
    addressOf: ({ origin }) => origin,
    load: () => ask('sites.list', {}),
    remove: async ({ origin }) => {
      const removed = await show(ask('sites.remove', { origin }));
      return removed ? { undoUntil: now() + undoMs } : undefined;
    },
    // The worker ends the scripts and gives up the permission at once, so undoing means allowing the site again.
    restore: async ({ origin, automatic, expectedItem }) => {
      if (!(await allow(origin))) return fail(fault.value ?? { kind: 'not-permitted' });
      if (automatic) await setAutomatic(origin, true);
      if (expectedItem !== undefined) await setExpectedItem(origin, expectedItem);
      return succeed(undefined);
    },
  });

  /** Why the latest change was not stored. */
  const fault = shallowRef<SiteFault>();

  /** Shows the sites after a change. Returns false if it was not stored; `fault` then has the reason. */
  async function show(change: Promise<Result<SiteState[], SiteFault>>): Promise<boolean> {
    await take(change.then((answer) => (answer.ok ? answer.value : ask('sites.list', {}))));
    const answer = await change;
    fault.value = answer.ok ? undefined : answer.fault;
    return answer.ok;
  }

  /** Finds a site on which verdicts are now shown: one that the browser permits too. */
  function findPermitted(origin: string | undefined): SiteState | undefined {
    const site = find(origin);
    return site?.permitted === true ? site : undefined;
  }

  /**
   * Must be called in the task of a click. The site is stored at once, because the browser's prompt may close this
   * page. If the agent refuses there, a site that was not yet in the list is removed again.
   * @returns whether the site is stored and the browser allows it now
   */
  async function allow(origin: string): Promise<boolean> {
    const answered = requestAccess(origin);
    const isListed = find(origin) !== undefined;
    const stored = ask('sites.allow', { origin });
    const [granted] = await Promise.all([answered, stored]);
    const isStored = await show(
      granted || isListed ? ask('sites.allow', { origin }) : ask('sites.remove', { origin }),
    );
    return granted && isStored;
  }

  async function setAutomatic(origin: string, on: boolean): Promise<void> {
    await show(ask('sites.set-automatic', { origin, on }));
  }

  /** @param item undefined: any item */
  async function setExpectedItem(origin: string, item: ExpectedItem | undefined): Promise<void> {
    await show(ask('sites.set-expected-item', { origin, item: item ?? null }));
  }

  return { list, fault, load, findPermitted, allow, remove, setAutomatic, setExpectedItem };
});
