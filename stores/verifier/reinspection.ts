import { watch } from 'vue';

import { useClock } from '#stores/clock';
import { useAuthorityAnswers } from '#stores/verifier/authority-answers';
import { useVerifierKeys } from '#stores/verifier/keys';
import type { OpenRow } from '#stores/verifier/open-row';
import type { TicketFields } from '#stores/verifier/ticket-fields';

/**
 * Inspects the documents again whenever something changes that they are compared with: the ticket's fields, the keys,
 * the minute, or what an authority has answered. Call it in a store's setup.
 * @returns a function that returns how often what documents are compared with has changed, the authority's answers
 * aside
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
