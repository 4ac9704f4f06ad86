import { readSavedState, type SavedState, writeSavedState } from '#core/installation/saved-state';
import type { Vault, VaultFault } from '#core/installation/ports';
import { type Result, succeed } from '#core/result';

/** The saved state, in a vault that may be full or written by another program. */
export interface KeptState {
  readonly read: () => Promise<Result<SavedState, VaultFault>>;
  /**
   * Saves the state. If it cannot be written, it still applies until the program ends or another program writes: a full
   * disk must not deny use.
   */
  readonly save: (
    change: (state: SavedState) => SavedState,
  ) => Promise<Result<SavedState, VaultFault>>;
}

export function createKeptState(vault: Vault): KeptState {
  let kept: { text: string | undefined; state: SavedState } | undefined;
  let unsaved: { over: string | undefined; text: string } | undefined;

  const stateOf = (text: string | undefined): SavedState => {
    if (kept?.text !== text || kept === undefined) kept = { text, state: readSavedState(text) };
    return kept.state;
  };

  const lastKnown = (text: string | undefined): string | undefined =>
    unsaved !== undefined && unsaved.over === text ? unsaved.text : text;

  return {
    async read() {
      const read = await vault.read();
      return read.ok ? succeed(stateOf(lastKnown(read.value))) : read;
    },

    async save(change) {
      const changeText = (text: string | undefined): string => {
        const present = lastKnown(text);
        const state = stateOf(present);
        const changed = change(state);
        return changed === state && present !== undefined ? present : writeSavedState(changed);
      };
      const saved = await vault.update(changeText);
      if (saved.ok) return succeed(stateOf(saved.value));
      const read = await vault.read();
      if (read.ok) unsaved = { over: read.value, text: changeText(read.value) };
      return saved;
    },
  };
}
