import { defineStore } from 'pinia';
import { computed, watch } from 'vue';

import { siteOriginOf } from '#core/preferences/index';
import { omitUndefined } from '#core/result';
import { ticketAddressOf } from '#core/ticket/index';
import { useCheck, useWaitingText } from '#stores/check/index';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';
import { usePreferences } from '#stores/settings/preferences';
import { createChipUpdates } from '#stores/ticket/chip-updates';
import { useExpectedItem } from '#stores/ticket/expected-item';
import { createFieldFilling } from '#stores/ticket/field-filling';
import { createPageFollower } from '#stores/ticket/page-follower';
import { createPagePlan } from '#stores/ticket/page-plan';
import { pendingTextPort, tabPagePort, waitingTextPort } from '#stores/ticket/ports';
import { createReplyInsertion } from '#stores/ticket/reply-insertion';
import { useSites } from '#stores/ticket/sites';
import { createCardOfTicket } from '#stores/ticket/ticket-card';
import { createTicketInspection } from '#stores/ticket/ticket-inspection';

/**
 * Transfers codes and licenses from the ticket to the check. Everything shown and checked belongs to one ticket, as its
 * card, and changes as a whole when another ticket comes to the front. Beside any other page it is the agent's own
 * check, which belongs to no ticket.
 */
export const useTicket = defineStore('ticket', () => {
  const page = usePort(tabPagePort);
  const pendingTexts = usePort(pendingTextPort);
  const waitingText = usePort(waitingTextPort);
  const checkWaitingText = useWaitingText();
  const check = useCheck();
  const connections = useConnections();
  const preferences = usePreferences();
  const sites = useSites();
  const expected = useExpectedItem();
  const card = createCardOfTicket();
  const { origin, site, current, holdsNoCode, attached, licenseOnPage, source } = card;
  const plan = createPagePlan(origin);
  const readings = latest();
  const { fillings, selected, fill, apply, submitted } = createFieldFilling(card, plan);
  const followPage = createPageFollower({
    card,
    plan,
    readings,
    apply,
    updateChips: createChipUpdates(card),
  });
  /** Whether the view follows the page in front. */
  let follows = false;
  watch(
    () => site.value?.expectedItem,
    (item) => {
      expected.ofSite = item;
    },
  );
  // Without a connection a text cannot be checked, so it waits for the first one. The text of a ticket is read again
  // instead.
  watch(
    () => check.entries,
    (entries) => {
      if (current.value === undefined && connections.list?.length === 0 && entries.length > 0)
        void waitingText.put(entries.map(({ code }) => code).join('\n'));
    },
  );
  const isWithoutCode = computed(
    () => current.value !== undefined && holdsNoCode.value && check.draft === '',
  );
  /** Whether the ticket in front still has to be read. */
  const isReading = computed(
    () => current.value !== undefined && follows && !holdsNoCode.value && check.draft === '',
  );

  /**
   * Fills the field once, for the popup: from a pending text, else from the page in front. Returns false if a ticket is
   * in front.
   */
  async function open(): Promise<boolean> {
    await prepare();
    if (!(await takePendingText()) && !(await checkWaitingText())) await readPage();
    return current.value === undefined;
  }

  /** Keeps filling the field, for the panel: from pending texts and, on allowed sites, from the page in front. */
  async function follow(): Promise<boolean> {
    follows = true;
    pendingTexts.watch(() => void takePendingText());
    page.follow(
      () => void followPage(),
      () => void sites.load().then(followPage),
    );
    await prepare();
    if (!(await takePendingText())) await followPage();
    return current.value === undefined;
  }

  async function prepare(): Promise<void> {
    await Promise.all([
      preferences.ready,
      connections.list === undefined ? connections.load() : undefined,
      sites.load(),
    ]);
  }

  /** Takes a pending text; returns false if there is none, or it belongs to a ticket that is no longer in front. */
  async function takePendingText(): Promise<boolean> {
    const received = await pendingTexts.take();
    if (received === undefined) return false;
    const { text, connectionIds, ticket } = received;
    await prepare();
    const front = await page.front();
    const isElsewhere = front?.address !== (ticket && ticketAddressOf(ticket));
    if (ticket !== undefined && front?.address !== undefined && isElsewhere) return false;
    readings.begin();
    card.arrive(front);
    fill(text, ticket && front?.address);
    source.fromPage = '';
    source.ofChip = ticket === undefined ? '' : text;
    const checked = check.submit(connectionIds);
    // The page may have more about its ticket.
    if (follows) void followPage();
    await checked;
    return true;
  }

  async function readPage(): Promise<void> {
    const { isLatest } = readings.begin();
    licenseOnPage.value = undefined;
    const [front, all] = await Promise.all([page.front(), page.read()]);
    if (!isLatest()) return;
    const read = all && plan.withQuoted(all);
    card.arrive(
      front && omitUndefined({ tabId: front.tabId, address: read?.address ?? front.address }),
    );
    if (read !== undefined) card.setSubject(read.subject);
    if (read?.origin !== undefined) origin.value = siteOriginOf(read.origin);
    // The agent may have typed something in the meantime.
    if (read === undefined || check.draft !== '') return;
    attached.value = read.attached;
    holdsNoCode.value = !apply(read) && read.selection === '';
    await submitted();
  }

  return {
    origin,
    site,
    current,
    isWithoutCode,
    isReading,
    attached,
    fillings,
    licenseOnPage: computed(() => licenseOnPage.value !== undefined),
    open,
    follow,
    ...createTicketInspection(card, () => selected.value),
    insertReply: createReplyInsertion(card, plan, () => void followPage()),
  };
});
