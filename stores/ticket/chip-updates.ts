import { watchEffect } from 'vue';

import { useCheck, verdictOfCode } from '#stores/check/index';
import { useClock } from '#stores/clock';
import { usePort } from '#stores/ports';
import { useExpectedItem } from '#stores/ticket/expected-item';
import { chipsPort } from '#stores/ticket/ports';
import type { CardOfTicket } from '#stores/ticket/ticket-card';

/**
 * Has the chips of the ticket in front show the verdicts that the view shows. The page is told nothing about codes that
 * it does not show. Call it in a store's setup.
 * @returns tells them again, for a page that was just loaded
 */
export function createChipUpdates({ current, source }: CardOfTicket): () => void {
  const chips = usePort(chipsPort);
  const check = useCheck();
  const clock = useClock();
  const expectedItem = useExpectedItem();

  function update(): void {
    const ticket = current.value;
    if (ticket === undefined) return;
    for (const { code, pendingChecks } of check.entries) {
      const isSettled = verdictOfCode(pendingChecks, clock.present)?.isBusy === false;
      const reports = pendingChecks.flatMap(({ report }) => report ?? []);
      if (isSettled && source.codesSeen.includes(code))
        chips.show(ticket, code, reports, expectedItem.current);
    }
  }
  watchEffect(update);
  return update;
}
