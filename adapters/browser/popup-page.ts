import { popupPageOf } from '#core/settings/popup-page';

interface ActionApi {
  setPopup(details: { popup: string }): Promise<void>;
}

/**
 * Lets the toolbar button open the popup in a theme. The browser forgets it when it ends or the extension is loaded again.
 * @param theme as it is stored: unknown data
 */
export async function setPopupTheme(action: ActionApi, theme: unknown): Promise<void> {
  await action.setPopup({ popup: popupPageOf(theme) });
}
