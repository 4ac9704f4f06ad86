/**
 * The themes that have their own popup page: the theme is in the page, so nothing has to be read before the first
 * paint.
 */
export const popupThemes = ['system', 'light', 'dark'] as const;

/** Returns the popup's page for a stored theme, which is untrusted data. */
export function popupPageOf(theme: unknown): string {
  return theme === 'light' || theme === 'dark' ? `popup-${theme}.html` : 'popup.html';
}
