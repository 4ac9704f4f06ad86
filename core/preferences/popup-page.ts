/**
 * The themes that have a page of the popup: the theme stands in it, so that nothing has to be read before the first
 * paint.
 */
export const popupThemes = ['system', 'light', 'dark'] as const;

/** Returns the popup's page for a stored theme, which is unknown data. */
export function popupPageOf(theme: unknown): string {
  return theme === 'light' || theme === 'dark' ? `popup-${theme}.html` : 'popup.html';
}
