import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import type { Result } from '#core/result';
import { clockPort, usePort } from '#stores/ports';

/** What was deleted, named as in the catalogue: `undo.done.connections`. */
export type UndoableList =
  | 'connections'
  | 'authorities'
  | 'sites'
  | 'jobs'
  | 'job-names'
  /** The whole history. */
  | 'history'
  /** Checks that the history's settings no longer allow. */
  | 'older-checks'
  | 'checks'
  | 'templates'
  /** All templates of one situation, replaced by the built-in ones. */
  | 'own-templates'
  /** The language of all replies. */
  | 'reply-frames'
  | 'keys'
  | 'revoked-keys';

export interface UndoOffer {
  readonly list: UndoableList;
  /** Prefixed with the list's name, this is the id of the element that is focused after undoing. */
  readonly id: string;
  /** The id of the element that is focused instead, if the entry is also in another list. */
  readonly elementId?: string;
  /** Empty if it has no name. */
  readonly name: string;
  /**
   * Restores the entry. Called in the task of the click, so that it may ask the browser for a permission. Absent if it
   * failed and would fail again.
   */
  readonly undo?: () => Promise<Result<unknown, UndoFault>>;
  /** Why it could not be restored. */
  readonly fault?: UndoFault;
}

/** A fault of the worker. If the disk is full (`storage-full`), the entry can be restored later. */
export interface UndoFault {
  readonly kind: string;
}

/** How long a failed undo is shown, in milliseconds. */
const failureShownMs = 10_000;

/** Offers to undo the page's last deletion. A later deletion replaces the offer, and the earlier one becomes final. */
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
   * @returns the id of the restored entry; undefined if there was nothing to undo or it failed
   */
  async function accept(): Promise<string | undefined> {
    const accepted = offer.value;
    if (accepted?.undo === undefined) return undefined;
    clearTimeout(timer);
    offer.value = undefined;
    const restored = await accepted.undo();
    if (restored.ok) return accepted.id;
    const { undo, ...others } = accepted;
    const { fault } = restored;
    const offered =
      fault.kind === 'storage-full' ? { ...others, undo, fault } : { ...others, fault };
    show(offered, now() + failureShownMs);
    return undefined;
  }

  return { offer, show, accept };
});
