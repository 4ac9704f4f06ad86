import { computed, type ComputedRef, type Ref, ref, type ShallowRef, shallowRef, watch } from 'vue';

import { siteOriginOf } from '#core/preferences/index';
import type { FrontTab, Ticket, TicketCard } from '#core/ticket/index';
import { useCheck, useKeptChecks } from '#stores/check/index';
import { clockPort, usePort } from '#stores/ports';
import { ticketCardsPort } from '#stores/ticket/ports';
import { type SiteState, useSites } from '#stores/ticket/sites';

/** The source of the text in the field. Any other text in the field is the agent's own. */
interface TextSource {
  /** The text that was read from the ticket. */
  fromPage: string;
  ofChip: string;
  /** The codes that the ticket showed when it was last read. */
  codesSeen: readonly string[];
}

/** The card of the ticket in front. Beside other pages there is no card, and the check is the agent's own. */
export interface CardOfTicket {
  /** The origin of the page in front; undefined if verdicts cannot be shown there or the browser does not report it. */
  readonly origin: Ref<string | undefined>;
  /** The site in front, if the agent has allowed it. */
  readonly site: ComputedRef<SiteState | undefined>;
  readonly current: ShallowRef<Ticket | undefined>;
  /** Whether the ticket was read and has no code. */
  readonly holdsNoCode: Ref<boolean>;
  /** Addresses of files on the ticket's page that may be licenses. */
  readonly attached: ShallowRef<readonly string[]>;
  /** The license on a page without a code or a selection. */
  readonly licenseOnPage: Ref<string | undefined>;
  readonly source: TextSource;
  /** How long the ticket has been in front, in milliseconds. */
  readonly waitedMs: () => number;
  readonly setSubject: (subject: string) => void;
  /**
   * Switches the whole card to the ticket in front, if that is another one. Outstanding answers for the previous ticket
   * are discarded.
   * @returns whether it is another ticket, or another page without one; a second tab at the same address may show
   * another ticket
   */
  readonly arrive: (front: FrontTab | undefined) => boolean;
  /** Empties the card, which now belongs to another ticket. */
  readonly leaveTo: (next: Ticket | undefined) => void;
  readonly putBack: (stored: TicketCard, ticket: Ticket) => void;
}

/** Call it in a store's setup. */
export function createCardOfTicket(): CardOfTicket {
  const cards = usePort(ticketCardsPort);
  const now = usePort(clockPort);
  const check = useCheck();
  const keptChecks = useKeptChecks();
  const sites = useSites();

  const origin = ref<string>();
  const site = computed(() => sites.findPermitted(origin.value));
  const current = shallowRef<Ticket>();
  const holdsNoCode = ref(false);
  const attached = shallowRef<readonly string[]>([]);
  const licenseOnPage = ref<string>();
  const source: TextSource = { fromPage: '', ofChip: '', codesSeen: [] };
  /** The last known tab in front; null at first. What was typed before that belongs to the first one. */
  let inFront: FrontTab | undefined | null = null;
  /** When the ticket came to the front, epoch milliseconds. */
  let arrivedAt = 0;
  /** The agent's own check, which belongs to no ticket. */
  let own: Pick<TicketCard, 'draft' | 'checked'> | undefined;
  cards.watch(() => (own = undefined));

  const checkedHere = (): Pick<TicketCard, 'draft' | 'checked'> => ({
    draft: check.draft,
    checked: keptChecks.checkedCodes(),
  });
  const card = computed((): TicketCard | undefined => {
    if (current.value === undefined || keptChecks.hasMetLock()) return undefined;
    const { address, subject } = current.value;
    return { address, subject, fromPage: source.fromPage, ...checkedHere() };
  });
  watch([card, (): unknown => current.value?.tabId], ([present, tab], [earlier, tabBefore]) => {
    if (present === undefined || present.address !== earlier?.address || tab !== tabBefore) return;
    if (present.checked.length > 0 || earlier.checked.length > 0) void cards.write(present);
  });

  // If a site is allowed while its page is in front, the card's content belongs to the ticket there.
  watch(site, (allowed) => {
    const { tabId, address } = inFront ?? {};
    if (allowed === undefined || tabId === undefined || address === undefined) return;
    if (current.value === undefined && siteOriginOf(address) === allowed.origin)
      current.value = { tabId, address, subject: '' };
  });

  function leaveTo(next: Ticket | undefined): void {
    arrivedAt = now();
    current.value = next;
    Object.assign(source, { fromPage: '', ofChip: '', codesSeen: [] } satisfies TextSource);
    licenseOnPage.value = undefined;
    holdsNoCode.value = false;
    attached.value = [];
    // Clearing the check cancels running requests.
    check.clear();
  }

  function arrive(front: FrontTab | undefined): boolean {
    const isFirst = inFront === null;
    inFront = front;
    const { tabId, address } = front ?? {};
    origin.value = address === undefined ? undefined : siteOriginOf(address);
    const isTicket = sites.findPermitted(origin.value) !== undefined;
    const next =
      isTicket && tabId !== undefined && address !== undefined
        ? { tabId, address, subject: '' }
        : undefined;
    if (next?.address === current.value?.address && next?.tabId === current.value?.tabId)
      return false;
    if (isFirst) {
      current.value = next;
      arrivedAt = now();
      return true;
    }
    if (current.value === undefined) own = checkedHere();
    else if (card.value !== undefined && card.value.checked.length > 0)
      void cards.write(card.value);
    leaveTo(next);
    if (next === undefined && own !== undefined) {
      keptChecks.putBack(own.draft, own.checked);
      own = undefined;
    }
    return true;
  }

  return {
    origin,
    site,
    current,
    holdsNoCode,
    attached,
    licenseOnPage,
    source,
    waitedMs: () => now() - arrivedAt,
    setSubject(subject) {
      if (current.value !== undefined) current.value = { ...current.value, subject };
    },
    arrive,
    leaveTo,
    putBack({ fromPage, subject, draft, checked }, ticket) {
      source.fromPage = fromPage;
      current.value = { ...ticket, subject };
      keptChecks.putBack(draft, checked, ticket.address);
    },
  };
}
