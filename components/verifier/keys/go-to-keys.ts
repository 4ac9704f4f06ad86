/**
 * Moves the focus to the key ring, which is on this page, and unfolds it. A dialog over the page is closed, which would
 * keep the focus.
 * @param target the field for a new key, or the keys that are there
 */
export function goToKeys(target: 'field' | 'pinned'): void {
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
  document.querySelector('details.keys')?.setAttribute('open', '');
  document
    .querySelector<HTMLElement>(
      target === 'pinned'
        ? '.key-row summary'
        : '.keys > form:not(.key-confirm) textarea, .key-confirm input',
    )
    ?.focus();
}
