import { watch } from 'vue';

import { useClock } from '#stores/clock';
import { useAuthorityAnswers } from '#stores/verifier/authority-answers';
import { useVerifierKeys } from '#stores/verifier/keys';
import type { OpenRow } from '#stores/verifier/open-row';
import type { TicketFields } from '#stores/verifier/ticket-fields';

/**
 * Inspects the documents again whenever the facts that they are compared with change: the ticket's fields, the keys,
 * the minute, or an authority's answers. Call it in a store's setup.
 * @returns a function that returns how often those facts have changed, not counting the authority's answers
 */
export function createReinspection(
  { expected, unreached }: TicketFields,
  row: OpenRow,
  inspectAll: () => void,
): () => number {
  const keys = useVerifierKeys();
  const answers = useAuthorityAnswers();
  const pageClock = useClock();
  let changeCount = 0;

  watch(
    [expected, unreached, () => keys.list, () => pageClock.present],
    () => {
      changeCount += 1;
      inspectAll();
    },
    { deep: true },
  );
  watch(
    () => answers.list,
    () => {
      inspectAll();
      void row.inspectInTable();
    },
  );
  return () => changeCount;
}
