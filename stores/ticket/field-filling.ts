import { ref, type Ref, watch } from 'vue';

import type { PageText } from '#core/ticket/index';
import { useCheck } from '#stores/check/index';
import type { PagePlan } from '#stores/ticket/page-plan';
import type { CardOfTicket } from '#stores/ticket/ticket-card';

/** Fills the code field from a pending text or from a page. */
export interface FieldFilling {
  /** How often the field was filled; its view then selects the text. */
  readonly fillings: Ref<number>;
  /** The license that is selected in the page in front. Once the field's text changes, that counts instead. */
  readonly selected: Ref<string | undefined>;
  /** @param address of the ticket that the text belongs to; undefined for none */
  readonly fill: (text: string, address: string | undefined) => void;
  /** Fills the check from a page. Returns false if the page has nothing for the check yet. */
  readonly apply: (read: PageText) => boolean;
  /** Waits for the check of the last reading. */
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
    check.replaceText(text, true, address);
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
        // A page drawn by a script may show a code later.
        return false;
      case 'too-long':
        check.refusal = 'too-long';
        return true;
      case 'license':
        selected.value = planned.text;
        check.refusal = 'license';
        return true;
      case 'fill':
        // The answers for the same codes stay.
        if (planned.text === check.draft) return true;
        fill(planned.text, read.address);
        source.fromPage = planned.text;
        if (planned.atOnce) submission = check.submit();
        return true;
    }
  }

  return { fillings, selected, fill, apply, submitted: async () => submission };
}
