import { popupPageOf, popupThemes } from '#core/settings/popup-page';

/** Lists the pages of ours that may message the worker, by the files they are built to. */
export const pages = {
  popup: popupThemes.map(popupPageOf),
  sidepanel: ['sidepanel.html'],
  options: ['options.html'],
  desk: ['desk.html'],
  verifier: ['verifier.html'],
} as const;

export type PageName = keyof typeof pages;

/** Names a page of ours, or our script in a web page, which is trusted far less. */
export type AskerName = PageName | 'ticket-script';

/** Names the pages on which codes are checked. */
export const checkPages = ['popup', 'sidepanel', 'options', 'desk'] as const;
/** Names the pages that are open beside a ticket, and the one that holds its settings. */
export const ticketPages = ['popup', 'sidepanel', 'options'] as const;
export const optionsPage = ['options'] as const;
export const deskPage = ['desk'] as const;
export const verifierPage = ['verifier'] as const;
