import { ref, type Ref, watch } from 'vue';

import type { PageText } from '#core/ticket/index';
import { useCheck } from '#stores/check/index';
import type { PagePlan } from '#stores/ticket/page-plan';
import type { CardOfTicket } from '#stores/ticket/ticket-card';

/** Fills the code field from outside: from a pending text, or from what was read of a page. */
export interface FieldFilling {
  /** Counts the times that the field was filled: its view selects the text then. */
  readonly fillings: Ref<number>;
  /** The license that was selected in the page in front; the text in the field counts once that changes. */
  readonly selected: Ref<string | undefined>;
  /** @param address of the ticket that the text is of; undefined where it is of none */
  readonly fill: (text: string, address: string | undefined) => void;
  /** Fills the check from what was read. False when it held nothing for the check yet. */
  readonly apply: (read: PageText) => boolean;
  /** Waits for the check of what was read last. */
  readonly submitted: () => Promise<void>;
}

/** Call it in a store's setup. */
export function createFieldFilling(
  { source, licenseOnPage }: CardOfTicket,
  { planOf }: PagePlan,
): FieldFilling {
  const check = useCheck();
  const fillings = ref(0);
  const selected = ref<string>();
  let submission: Promise<void> | undefined;

  watch(
    () => check.draft,
    () => (selected.value = undefined),
    { flush: 'sync' },
  );

  function fill(text: string, address: string | undefined): void {
    check.fill(text, true, address);
    licenseOnPage.value = undefined;
    fillings.value += 1;
  }

  function apply(read: PageText): boolean {
    const planned = planOf(read);
    switch (planned.kind) {
      case 'nothing':
        return false;
      case 'license-on-page':
        licenseOnPage.value = planned.text;
        // A page that is drawn by a script may show a code later.
        return false;
      case 'too-long':
        check.refusal = 'too-long';
        return true;
      case 'license':
        selected.value = planned.text;
        check.refusal = 'license';
        return true;
      case 'fill':
        // The answers to the same codes stay.
        if (planned.text === check.draft) return true;
        fill(planned.text, read.address);
        source.fromPage = planned.text;
        if (planned.atOnce) submission = check.submit();
        return true;
    }
  }

  return { fillings, selected, fill, apply, submitted: async () => submission };
}
