import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';

import { omitUndefined } from '#core/result';
import {
  type FrontTab,
  type InputPlan,
  type Insertion,
  isOfTicket,
  isStillBefore,
  type PageText,
  planInput,
  type ShownTicket,
  type Ticket,
  ticketAddressOf,
  type TicketCard,
} from '#core/ticket/index';
import { delay } from '#core/time/delay';
import { useCheck, useKeptChecks, useWaitingText } from '#stores/check/index';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';
import { askPort, clockPort, usePort } from '#stores/ports';
import { usePreferences } from '#stores/settings/preferences';
import { useExpectedItem } from '#stores/ticket/expected-item';
import { useSites } from '#stores/ticket/sites';
import {
  inspectPort,
  pendingTextPort,
  tabPagePort,
  ticketCardsPort,
  waitingTextPort,
} from '#stores/ticket/ports';
import { siteOriginOf } from '#core/sites';
import { codePatternsOf } from '#core/code-forms';

/** The milliseconds between one reading of a page and the next: pages that a script draws show their ticket late. */
const readDelaysMs = [0, 200, 200, 400, 700, 1000, 1500, 3000, 4000] as const;
/** How long a script-drawn page may take before it is said to hold no code, in milliseconds; until then it is read again. */
const drawingMs = 1500;

/** Documents of which it is known what they showed. */
const maxDocuments = 30;

/**
 * Brings codes and licenses from the ticket into the check. What is shown and checked belongs to one ticket, its card, and changes
 * as a whole when another ticket is in front. Beside any other page it is the agent's own check, which belongs to no ticket.
 */
export const useTicket = defineStore('ticket', () => {
  const page = usePort(tabPagePort);
  const pendingTexts = usePort(pendingTextPort);
  const cards = usePort(ticketCardsPort);
  const waitingText = usePort(waitingTextPort);
  const checkWaitingText = useWaitingText();
  const verifier = usePort(inspectPort);
  const ask = usePort(askPort);
  const now = usePort(clockPort);
  const check = useCheck();
  const keptChecks = useKeptChecks();
  const connections = useConnections();
  const preferences = usePreferences();
  const sites = useSites();

  /** The origin of the page in front; undefined where no verdicts can be shown or the browser does not tell it. */
  const origin = ref<string>();
  /** The ticket in front that the card is of; undefined beside other pages. */
  const current = shallowRef<Ticket>();
  /** The text that was read from the ticket. Anything else in the field is the agent's own. */
  let fromPage = '';
  /** The code of a chip in the ticket. */
  let ofChip = '';
  /** The codes that the ticket showed when it was read last. */
  let codesSeen: readonly string[] = [];
  /** The agent's own check, which is of no ticket. */
  let own: Pick<TicketCard, 'draft' | 'checked'> | undefined;
  /** The content of each document when a ticket was last read in it. */
  const shownIn = new Map<number | undefined, ShownTicket>();
  /** When the ticket in front came there, epoch milliseconds. */
  let arrivedAt = 0;
  /** Settles with the check of what was read last. */
  let submitted: Promise<void> | undefined;
  /** The tab that was in front when that was last asked. */
  let inFront: FrontTab | undefined;
  /** Whether it is known what is in front: what was typed before belongs to that. */
  let hasArrived = false;
  /** Whether the view follows the page in front. */
  let follows = false;
  /** Whether the ticket in front was read and holds no code. */
  const holdsNoCode = ref(false);
  /** Addresses of files on the ticket's page that may be licenses. */
  const attached = shallowRef<readonly string[]>([]);

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
  // A site that is allowed while its page is in front: what the card holds is of the ticket there.
  watch(site, (allowed) => {
    const { tabId, address } = inFront ?? {};
    if (allowed === undefined || tabId === undefined || address === undefined) return;
    if (current.value === undefined && siteOriginOf(address) === allowed.origin)
      current.value = { tabId, address, subject: '' };
  });
  const isWithoutCode = computed(
    () => current.value !== undefined && holdsNoCode.value && check.draft === '',
  );

  /** Whether the ticket in front is still to be read. */
  const isReading = computed(
    () => current.value !== undefined && follows && !holdsNoCode.value && check.draft === '',
  );
  const card = computed((): TicketCard | undefined => {
    if (current.value === undefined || keptChecks.hasMetLock()) return undefined;
    const { address, subject } = current.value;
    return { address, subject, fromPage, ...checkedHere() };
  });
  watch([card, (): unknown => current.value?.tabId], ([present, tab], [earlier, tabBefore]) => {
    if (present === undefined || present.address !== earlier?.address || tab !== tabBefore) return;
    if (present.checked.length > 0 || earlier.checked.length > 0) void cards.write(present);
  });

  cards.watch(() => (own = undefined));

  // Before there is a connection a text cannot be asked about: it waits for the first one. That of a ticket is read there again.
  watch(
    () => check.entries,
    (entries) => {
      if (current.value === undefined && connections.list?.length === 0 && entries.length > 0)
        void waitingText.leave(entries.map(({ code }) => code).join('\n'));
    },
  );

  function checkedHere(): Pick<TicketCard, 'draft' | 'checked'> {
    return { draft: check.draft, checked: keptChecks.checkedCodes() };
  }

  /** Fills the field once, for the popup: from a pending text, else from the page in front. False where a ticket is in front. */
  async function open(): Promise<boolean> {
    await Promise.all([prepare(), sites.load()]);
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
    await Promise.all([prepare(), sites.load()]);
    if (!(await takePendingText())) await followPage();
    return current.value === undefined;
  }

  async function prepare(): Promise<void> {
    await Promise.all([
      preferences.ready,
      connections.list === undefined ? connections.load() : undefined,
    ]);
  }

  /** Takes text that waits; false when there was none, or it is of a ticket that is not in front any more. */
  async function takePendingText(): Promise<boolean> {
    const received = await pendingTexts.take();
    if (received === undefined) return false;
    const { text, connectionIds, ticket } = received;
    await Promise.all([prepare(), sites.load()]);
    const front = await page.front();
    const isElsewhere = front?.address !== (ticket && ticketAddressOf(ticket));
    if (ticket !== undefined && front?.address !== undefined && isElsewhere) return false;
    readings.begin();
    arrive(front);
    fill(text);
    fromPage = '';
    ofChip = ticket === undefined ? '' : text;
    const checked = check.submit(connectionIds);
    // The page may tell more about its ticket.
    if (follows) void followPage();
    await checked;
    return true;
  }

  async function readPage(): Promise<void> {
    const { isLatest } = readings.begin();
    onPage.value = undefined;
    const [front, read] = await Promise.all([page.front(), page.read()]);
    if (!isLatest()) return;
    arrive(front && omitUndefined({ tabId: front.tabId, address: read?.address ?? front.address }));
    if (current.value !== undefined && read !== undefined)
      current.value = { ...current.value, subject: read.subject };
    if (read?.origin !== undefined) origin.value = siteOriginOf(read.origin);
    // The agent may have typed something meanwhile.
    if (read === undefined || check.draft !== '') return;
    attached.value = read.attached;
    holdsNoCode.value = !apply(read) && read.selection === '';
    await submitted;
  }

  /**
   * Makes the card that of the ticket in front, when that is another one: at once, and as a whole. Answers still under way for
   * the previous ticket are dropped.
   * @returns whether it is another ticket, or another page without one; a second tab at one address may show another
   */
  function arrive(front: FrontTab | undefined): boolean {
    inFront = front;
    const { tabId, address } = front ?? {};
    origin.value = address === undefined ? undefined : siteOriginOf(address);
    const isTicket = sites.findPermitted(origin.value) !== undefined;
    const next =
      isTicket && tabId !== undefined && address !== undefined
        ? { tabId, address, subject: '' }
        : undefined;
    if (next?.address === current.value?.address && next?.tabId === current.value?.tabId) {
      hasArrived = true;
      return false;
    }
    if (!hasArrived) {
      hasArrived = true;
      current.value = next;
      arrivedAt = now();
      return true;
    }
    if (current.value === undefined) own = checkedHere();
    else if (card.value !== undefined && card.value.checked.length > 0)
      void cards.write(card.value);
    leaveTicket(next);
    if (next === undefined && own !== undefined) {
      keptChecks.putBack(own.draft, own.checked);
      own = undefined;
    }
    return true;
  }

  /** Empties the card, which from now on is that of another ticket. */
  function leaveTicket(next: Ticket | undefined): void {
    arrivedAt = now();
    current.value = next;
    fromPage = '';
    ofChip = '';
    codesSeen = [];
    onPage.value = undefined;
    holdsNoCode.value = false;
    attached.value = [];
    // Checking an empty field cancels whatever is under way.
    check.clear();
  }

  /** Reads the page in front where verdicts are shown, without what is typed there; other pages are read only on a gesture. */
  async function followPage(): Promise<void> {
    const { isLatest } = readings.begin();
    const front = await page.front();
    if (!isLatest()) return;
    const before = current.value?.address;
    const isAnother = arrive(front);
    onPage.value = undefined;
    const ticket = current.value;
    if (ticket === undefined) return;
    const kept = isAnother ? await cards.read(ticket.address) : undefined;
    if (!isLatest()) return;
    const showKept = (): void => {
      // The agent may have typed something meanwhile.
      if (kept === undefined || check.draft !== '') return;
      ({ fromPage } = kept);
      current.value = { ...ticket, subject: kept.subject };
      keptChecks.putBack(kept.draft, kept.checked, ticket.address);
    };
    // Another tab at this address may have stored a newer card, so it is read first.
    if (ticket.address !== before) showKept();
    /** Since when the page shows none of the codes that were read in it before, epoch milliseconds. */
    let goneAt: number | undefined;
    for (const delayMs of readDelaysMs) {
      await delay(delayMs);
      if (!isLatest()) return;
      const { draft } = check;
      const read = await page.read(true);
      if (!isLatest() || read === undefined) return;
      if (kept?.fromPage === codesIn(read.text) && isOfTicket(read, kept)) showKept();
      if (!isOfTicket(read, current.value ?? ticket)) {
        // The page has moved on, or shows another ticket at the same address.
        if (read.address === ticket.address) leaveTicket({ ...ticket, subject: '' });
        continue;
      }
      const before = shownIn.get(read.document);
      const waitedMs = now() - arrivedAt;
      const isTyped = (): boolean => check.draft !== draft || (draft !== '' && draft !== fromPage);
      if (read.selection !== '') {
        // It is all that was read, and may be one of the ticket before.
        const isOwn = before === undefined || before.address === read.address;
        const isTold = codesIn(read.selection) !== '' || planOf(read).kind === 'license';
        if (isOwn && isTold && !isTyped() && apply(read)) return;
        continue;
      }
      const codes = codesIn(read.text);
      if (isStillBefore(read, codes, before, waitedMs)) continue;
      remember(read, codes);
      // The agent may have typed something meanwhile, or before.
      if (isTyped()) return;
      const isFilled = apply(read);
      const isDrawn = read.moved !== true || waitedMs >= drawingMs;
      if (isFilled && isDrawn) return;
      if (isFilled || fromPage === '') goneAt = undefined;
      else if (now() - (goneAt ??= now()) < drawingMs) continue;
      else leaveTicket({ ...ticket, subject: read.subject });
      holdsNoCode.value = !isFilled && isDrawn;
    }
  }

  /** Notes what a document shows of the ticket in front. */
  function remember(
    { document, address, subject, text, attached: files }: PageText,
    codes: string,
  ): void {
    shownIn.delete(document);
    shownIn.set(document, omitUndefined({ address, subject, text, codes }));
    codesSeen = codes === '' ? [] : codes.split('\n');
    for (const oldest of [...shownIn.keys()].slice(0, -maxDocuments)) shownIn.delete(oldest);
    attached.value = files;
    if (subject !== '' && current.value !== undefined)
      current.value = { ...current.value, subject };
  }

  function planOf(read: Pick<PageText, 'selection' | 'text'>): InputPlan {
    return planInput(read, {
      allowed: sites.findPermitted(origin.value) !== undefined,
      selectionAtOnce: preferences.current.selectionAtOnce,
      patterns: codePatternsOf(connections.list ?? []),
    });
  }

  /** Returns the codes of a text, one on each line. */
  function codesIn(text: string): string {
    const plan = planOf({ selection: '', text });
    return plan.kind === 'fill' ? plan.text : '';
  }

  /** Fills the check from what was read. False when it held nothing for the check yet. */
  function apply(read: PageText): boolean {
    const plan = planOf(read);
    switch (plan.kind) {
      case 'nothing':
        return false;
      case 'license-on-page':
        onPage.value = plan.text;
        // A page that is drawn by a script may show a code later.
        return false;
      case 'too-long':
        check.refusal = 'too-long';
        return true;
      case 'license':
        selected.value = plan.text;
        check.refusal = 'license';
        return true;
      case 'fill':
        // The answers to the same codes stay.
        if (plan.text === check.draft) return true;
        fill(plan.text, read.address);
        fromPage = plan.text;
        if (plan.atOnce) submitted = check.submit();
        return true;
    }
  }

  function fill(text: string, address?: string): void {
    check.take(text, true, address);
    onPage.value = undefined;
    fillings.value += 1;
  }

  /** Opens the verifier on the license that is offered: the selected one, else the one in the field, else the one on the page. */
  async function inspect(): Promise<void> {
    const offered = check.refusal === 'license' ? selected.value : onPage.value;
    await verifier.license(offered ?? check.draft);
  }

  /** Opens the verifier on the files that are attached to the ticket. */
  async function inspectAttached(): Promise<void> {
    const tabId = current.value?.tabId;
    if (tabId !== undefined) await ask('ticket.inspect', { tabId, files: [...attached.value] });
  }

  /** Tells whether a page of the ticket shows what its card was made of: its codes, or none where there was none. */
  function showsAsBefore({ selection, subject, text }: PageText, ticket: Ticket): boolean {
    // If something was selected, only the heading was read.
    if (selection !== '') return subject !== '' && subject === ticket.subject;
    const present = new Set(codesIn(text).split('\n'));
    if (check.draft === '') return present.has('');
    const due = check.draft === ofChip ? [...codesSeen, ...codesIn(ofChip).split('\n')] : codesSeen;
    return due.every((code) => present.has(code));
  }

  /** Puts a reply into the open reply field of the ticket that the card is of, while that ticket is in front. */
  async function insertReply(text: string): Promise<Insertion> {
    const ticket = current.value;
    if (ticket === undefined || site.value === undefined) return 'no-field';
    const [front, read] = await Promise.all([page.front(), page.read(true)]);
    const isSame =
      front?.address === ticket.address &&
      current.value?.address === ticket.address &&
      (read === undefined || (isOfTicket(read, ticket) && showsAsBefore(read, ticket)));
    const done = isSame
      ? await ask('ticket.insert', {
          text,
          ticket: { ...ticket, tabId: front.tabId, subject: read?.subject ?? ticket.subject },
        })
      : 'other-ticket';
    if (done === 'other-ticket') void followPage();
    return done;
  }

  return {
    origin,
    site,
    current,
    isWithoutCode,
    isReading,
    attached,
    fillings,
    licenseOnPage,
    open,
    follow,
    inspect,
    inspectAttached,
    insertReply,
  };
});
