import { ref, type Ref, type ShallowRef, shallowRef, watch } from 'vue';

import type { Expected, Inspection } from '#core/license/index';
import { latest } from '#stores/latest';

export interface TicketFacts {
  readonly expected: Required<Expected>;
  /** True if the agent says that the authority could not be reached. */
  readonly unreached: boolean;
}

/** The customer's words in the ticket about the documents on the page. */
export interface TicketFields {
  readonly expected: Ref<Required<Expected>>;
  readonly unreached: Ref<boolean>;
  /** The facts that were cleared when another customer's documents came, until something is typed. */
  readonly cleared: ShallowRef<TicketFacts | undefined>;
  facts(): TicketFacts;
  /** Returns what new documents are compared with until it is known whose they are. */
  factsForNew(): TicketFacts;
  putBack(): void;
  /**
   * Clears the fields for documents that are being opened, and fills them again if the documents are the same
   * customer's.
   * @param opened the new documents, once they are judged; undefined for a table of many customers' documents
   */
  change(opened: Promise<readonly Inspection[]> | undefined): void;
}

const blank: TicketFacts = {
  expected: { domain: '', productSlug: '', installationId: '' },
  unreached: false,
};

/** Creates the fields of the ticket, blank at first. Call it in a store's setup. */
export function createTicketFields(): TicketFields {
  const expected = ref(blank.expected);
  const unreached = ref(blank.unreached);
  const cleared = shallowRef<TicketFacts>();
  const changes = latest();
  /** Names of the customer whose documents are open, or were last; undefined before the first. */
  let names: ReadonlySet<string> | undefined;
  /** The facts that were cleared for documents that are still being judged. */
  let waiting: TicketFacts | undefined;

  function write(facts: TicketFacts): void {
    expected.value = facts.expected;
    unreached.value = facts.unreached;
  }

  function facts(): TicketFacts {
    return { expected: { ...expected.value }, unreached: unreached.value };
  }

  function isBlank(): boolean {
    return !unreached.value && Object.values(expected.value).every((text) => text.trim() === '');
  }

  /** @param held what was cleared for the documents until it is known whose they are */
  async function keepForSameCustomer(
    opened: Promise<readonly Inspection[]>,
    before: ReadonlySet<string> | undefined,
    held: TicketFacts | undefined,
  ): Promise<void> {
    const { isLatest } = changes.begin();
    const found = customerNamesOf(await opened);
    if (!isLatest()) return;
    waiting = undefined;
    // A picture or a half-typed text contains no names.
    const isNobodys = found.size === 0;
    if (!isNobodys) names = found;
    if (held === undefined || before === undefined) return;
    if (isNobodys || [...found].some((name) => before.has(name))) write(held);
    else cleared.value = held;
  }

  watch([expected, unreached], () => {
    if (!isBlank()) cleared.value = undefined;
  });

  return {
    expected,
    unreached,
    cleared,
    facts,
    // Facts typed before the first documents arrived belong to those documents.
    factsForNew: () => (names === undefined ? facts() : blank),
    putBack() {
      if (cleared.value !== undefined) write(cleared.value);
      cleared.value = undefined;
    },
    change(opened) {
      const before = names;
      // Facts typed before the first documents arrived belong to those documents.
      const typed = isBlank() || before === undefined ? undefined : facts();
      const held = typed ?? waiting;
      if (typed !== undefined) write(blank);
      cleared.value = undefined;
      waiting = held;
      if (opened !== undefined) {
        void keepForSameCustomer(opened, before, held);
        return;
      }
      changes.cancel();
      waiting = undefined;
      names = new Set();
      cleared.value = held;
    },
  };
}

/**
 * Lists the names by which documents identify their customer: licenses, installations and domains, genuine or not.
 * Documents that share one of these names are taken for one customer's.
 */
export function customerNamesOf(inspections: readonly Inspection[]): Set<string> {
  return new Set(
    inspections.flatMap(({ license, certificate, stated }) => {
      const [licensed, certified] = [license?.says, certificate?.says];
      return Object.entries({
        license: [licensed?.licenseId, certified?.licenseId],
        installation: [certified?.installationId, stated.installationId],
        domain: [licensed?.domain, certified?.domain, stated.domain],
      }).flatMap(([kind, names]) =>
        names.flatMap((name) => (name === undefined ? [] : [`${kind} ${name.toLowerCase()}`])),
      );
    }),
  );
}
