import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import { clockPort, usePort } from '#stores/ports';

/** The lists whose deletions can be undone, by the part of the catalogue that holds their texts. */
export type UndoableList = 'connections' | 'authorities' | 'sites';

export interface UndoOffer {
  readonly list: UndoableList;
  readonly id: string;
  readonly name: string;
  /**
   * Restores the entry. Called in the task of the click, so that it may ask the browser for a permission.
   * Absent once it was tried and failed.
   */
  readonly undo?: () => Promise<boolean>;
}

/** How long a failed undo is shown, in milliseconds. */
const failureShownMs = 10_000;

/** Offers to undo the latest deletion of the page. A later deletion replaces the offer; the earlier one stands. */
export const useUndoOffer = defineStore('undo-offer', () => {
  const now = usePort(clockPort);
  const offer = shallowRef<UndoOffer>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** @param until epoch milliseconds */
  function show(next: UndoOffer, until: number): void {
    clearTimeout(timer);
    offer.value = next;
    timer = setTimeout(() => (offer.value = undefined), Math.max(0, until - now()));
  }

  /**
   * Must be called in the task of a click.
   * @returns the id of the restored entry; undefined when there was nothing to undo or it failed
   */
  async function accept(): Promise<string | undefined> {
    const accepted = offer.value;
    if (accepted?.undo === undefined) return undefined;
    clearTimeout(timer);
    offer.value = undefined;
    if (await accepted.undo()) return accepted.id;
    const { list, id, name } = accepted;
    show({ list, id, name }, now() + failureShownMs);
    return undefined;
  }

  return { offer, show, accept };
});
