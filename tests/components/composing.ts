/** Presses a key while an input method composes a word: the key is the input method's. */
export function pressWhileComposing(field: Element, key: string): void {
  field.dispatchEvent(
    new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true }),
  );
}
