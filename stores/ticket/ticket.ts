import { defineStore } from 'pinia';
import { ref } from 'vue';

import { type PageText, planInput } from '#core/ticket/page-text';
import { siteOriginOf } from '#core/ticket/site';
import { useCheck } from '#stores/check/check';
import { useConnections } from '#stores/connections/connections';
import { usePort } from '#stores/ports';
import { usePreferences } from '#stores/settings/preferences';
import { useSites } from '#stores/ticket/sites';
import { pendingTextPort, inspectPort, tabPagePort } from '#stores/ticket/ports';

/** What stands in the ticket beside the check, and how it comes into the field. */
export const useTicket = defineStore('ticket', () => {
  const page = usePort(tabPagePort);
  const pendingTexts = usePort(pendingTextPort);
  const inspectLicense = usePort(inspectPort);
  const check = useCheck();
  const connections = useConnections();
  const preferences = usePreferences();
  const sites = useSites();

  /** Where the agent is; only what verdicts could be shown on, and only where the browser tells it. */
  const origin = ref<string>();
  /** The license that was selected, for the verifier. */
  const license = ref<string>();
  /** How many times the field was filled from outside: whoever draws it selects its text then. */
  const fillings = ref(0);
  let reading = 0;

  async function open(): Promise<void> {
    await Promise.all([settle(), sites.load()]);
    if (!(await takeArrival())) await readPage();
  }

  /** As the panel: also what arrives later, and, on allowed sites, what comes to stand in front. */
  async function stay(): Promise<void> {
    pendingTexts.watch(() => void takeArrival());
    page.follow(() => void followPage());
    await Promise.all([settle(), sites.load()]);
    if (!(await takeArrival())) await followPage();
  }

  async function settle(): Promise<void> {
    await Promise.all([
      preferences.ready,
      connections.list === undefined ? connections.load() : undefined,
    ]);
  }

  async function takeArrival(): Promise<boolean> {
    const text = await pendingTexts.take();
    if (text === undefined) return false;
    reading += 1;
    await settle();
    fill(text);
    license.value = text;
    await check.submit();
    return true;
  }

  async function readPage(): Promise<void> {
    const turn = (reading += 1);
    const read = await page.read();
    if (turn !== reading) return;
    origin.value = read?.origin === undefined ? undefined : siteOriginOf(read.origin);
    // What the agent has typed meanwhile is theirs.
    if (read !== undefined && check.draft === '') await apply(read);
  }

  /** Reads the page in front where verdicts are shown; elsewhere it is none of our business without a gesture. */
  async function followPage(): Promise<void> {
    const turn = (reading += 1);
    const address = await page.origin();
    if (turn !== reading) return;
    origin.value = address === undefined ? undefined : siteOriginOf(address);
    if (sites.find(origin.value) === undefined) return;
    // A single-page desk draws its ticket some time after its address has changed.
    for (const wait of [0, 400, 1200]) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      const read = await page.read();
      if (turn !== reading || read === undefined || (await apply(read))) return;
    }
  }

  /** Whether there was anything in it. */
  async function apply(read: PageText): Promise<boolean> {
    const plan = planInput(read, {
      allowed: sites.find(origin.value) !== undefined,
      selectionAtOnce: preferences.current.selectionAtOnce,
      patterns: (connections.list ?? []).flatMap(({ dialect }) => dialect.codePattern ?? []),
    });
    switch (plan.kind) {
      case 'nothing':
        return false;
      case 'too-long':
        check.refusal = 'too-long';
        return true;
      case 'license':
        license.value = plan.text;
        check.refusal = 'license';
        return true;
      case 'fill':
        // The same codes as before: their answers stay.
        if (plan.text === check.draft) return true;
        fill(plan.text, read.address);
        if (plan.atOnce) await check.submit();
        return true;
    }
  }

  function fill(text: string, address?: string): void {
    check.take(text, true, address);
    fillings.value += 1;
  }

  /** Hands the selected license, else what stands in the field, to the verifier. */
  async function inspect(): Promise<void> {
    await inspectLicense(license.value ?? check.draft);
  }

  return { origin, fillings, open, stay, inspect };
});
