/**
 * Unfolds the key ring on this page and focuses it. An open dialog is closed, because it would keep the focus.
 * @param target the field for a new key, or the pinned keys
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
