import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';

import { type PageText, planInput } from '#core/ticket/page-text';
import { siteOriginOf } from '#core/ticket/site';
import { delay } from '#core/time/delay';
import { useCheck } from '#stores/check/check';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';
import { usePreferences } from '#stores/settings/preferences';
import { useExpectedItem } from '#stores/ticket/expected-item';
import { useSites } from '#stores/ticket/sites';
import { pendingTextPort, inspectPort, tabPagePort } from '#stores/ticket/ports';
import { codePatternsOf } from '#core/marketplaces/index';

/** How long after a change of address a page is read, in milliseconds: single-page desks draw a ticket late. */
const readDelaysMs = [0, 400, 1200] as const;

/** Brings codes and licenses from the ticket into the check. */
export const useTicket = defineStore('ticket', () => {
  const page = usePort(tabPagePort);
  const pendingTexts = usePort(pendingTextPort);
  const verifier = usePort(inspectPort);
  const check = useCheck();
  const connections = useConnections();
  const preferences = usePreferences();
  const sites = useSites();

  /** The origin of the page in front; undefined where no verdicts can be shown or the browser does not tell it. */
  const origin = ref<string>();
  /** The license that was selected in the page in front; the text in the field counts once that changes. */
  const selected = ref<string>();
  watch(
    () => check.draft,
    () => (selected.value = undefined),
    { flush: 'sync' },
  );
  /** The license of a page in front that holds no code and has nothing selected. */
  const onPage = ref<string>();
  const licenseOnPage = computed(() => onPage.value !== undefined);
  /** Counts the times the field was filled from outside: its view selects the text then. */
  const fillings = ref(0);
  const readings = latest();
  const expected = useExpectedItem();
  /** The site in front, where the agent has allowed it. */
  const site = computed(() => sites.findPermitted(origin.value));
  watch(
    () => site.value?.expectedItem,
    (item) => {
      expected.ofSite = item;
    },
  );

  /** Fills the field once, for the popup: from a pending text, else from the page in front. */
  async function open(): Promise<void> {
    await Promise.all([prepare(), sites.load()]);
    if (!(await takePendingText())) await readPage();
  }

  /** Keeps filling the field, for the panel: from pending texts and, on allowed sites, from the page in front. */
  async function follow(): Promise<void> {
    pendingTexts.watch(() => void takePendingText());
    page.follow(
      () => void followPage(),
      () => void sites.load().then(followPage),
    );
    await Promise.all([prepare(), sites.load()]);
    if (!(await takePendingText())) await followPage();
  }

  async function prepare(): Promise<void> {
    await Promise.all([
      preferences.ready,
      connections.list === undefined ? connections.load() : undefined,
    ]);
  }

  /** Takes text that waits; false when there was none. */
  async function takePendingText(): Promise<boolean> {
    const received = await pendingTexts.take();
    if (received === undefined) return false;
    const { text, connectionIds } = received;
    const { isLatest } = readings.begin();
    const [address] = await Promise.all([page.origin(), prepare(), sites.load()]);
    // The item of the help desk that a chip stands on judges here as well.
    if (isLatest() && sites.findPermitted(address) !== undefined) origin.value = address;
    fill(text);
    await check.submit(connectionIds);
    return true;
  }

  async function readPage(): Promise<void> {
    const { isLatest } = readings.begin();
    onPage.value = undefined;
    const read = await page.read();
    if (!isLatest()) return;
    origin.value = read?.origin === undefined ? undefined : siteOriginOf(read.origin);
    // The agent may have typed something meanwhile.
    if (read !== undefined && check.draft === '') await apply(read);
  }

  /** Reads the page in front where verdicts are shown, without what is typed there; other pages are read only on a gesture. */
  async function followPage(): Promise<void> {
    const { isLatest } = readings.begin();
    onPage.value = undefined;
    const address = await page.origin();
    if (!isLatest()) return;
    origin.value = address === undefined ? undefined : siteOriginOf(address);
    if (sites.findPermitted(origin.value) === undefined) return;
    const { draft } = check;
    for (const delayMs of readDelaysMs) {
      await delay(delayMs);
      if (!isLatest()) return;
      const read = await page.read(true);
      // The agent may have typed something meanwhile.
      if (!isLatest() || check.draft !== draft) return;
      if (read === undefined || (await apply(read))) return;
    }
  }

  /** Fills the check from what was read. False when it held nothing new for the check. */
  async function apply(read: PageText): Promise<boolean> {
    const plan = planInput(read, {
      allowed: sites.findPermitted(origin.value) !== undefined,
      selectionAtOnce: preferences.current.selectionAtOnce,
      patterns: codePatternsOf(connections.list ?? []),
    });
    switch (plan.kind) {
      case 'nothing':
        return false;
      case 'license-on-page':
        onPage.value = plan.text;
        // A single-page desk may draw a code later.
        return false;
      case 'too-long':
        check.refusal = 'too-long';
        return true;
      case 'license':
        selected.value = plan.text;
        check.refusal = 'license';
        return true;
      case 'fill':
        // The answers to the same codes stay. A single-page desk may still show the ticket before.
        if (plan.text === check.draft) return false;
        fill(plan.text, read.address);
        if (plan.atOnce) await check.submit();
        return true;
    }
  }

  function fill(text: string, address?: string): void {
    check.take(text, true, address);
    onPage.value = undefined;
    fillings.value += 1;
  }

  /** Opens the verifier on the license that is offered: the selected one, else that of the field; of the page with none there. */
  async function inspect(): Promise<void> {
    const offered = check.refusal === 'license' ? selected.value : onPage.value;
    await verifier.license(offered ?? check.draft);
  }

  /** Puts a reply into the open reply field of the page in front; false where there is none, or the site is not allowed. */
  async function insertReply(text: string): Promise<boolean> {
    return site.value !== undefined && page.insert(text, site.value.origin);
  }

  return { origin, site, fillings, licenseOnPage, open, follow, inspect, insertReply };
});
