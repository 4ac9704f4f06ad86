import { html } from 'hono/html';

import { type Page, writePage } from '#relay/join/pages/layout';

/** The result stands in the fragment, for Counterfoil to read; the server does not see it. */
const showResult = `const result = new URLSearchParams(location.hash.slice(1));
const texts = {
  expired: ['This took too long', 'You have not joined. Begin again in Counterfoil: Settings, Team.'],
  access_denied: ['You have not joined', 'Nothing was given to Counterfoil. You can close this tab.'],
};
const error = result.get('error');
const shown = error === null
  ? result.has('code') && ['You have joined', 'Go back to Counterfoil, which does the rest. You can close this tab.']
  : texts[error] || texts.access_denied;
if (shown) {
  document.title = shown[0];
  document.querySelector('h1').textContent = shown[0];
  document.querySelector('h1 + p').textContent = shown[1];
}
`;

/** Writes the page that a join ends on, whether it was confirmed or refused. */
export function joinedPage(): Page {
  return writePage(
    'Go back to Counterfoil',
    html`<h1>Go back to Counterfoil</h1>
      <p>Its settings say whether you have joined. You can close this tab.</p>`,
    { script: showResult },
  );
}

/** Writes a page that says why it does not go on here. */
export function noticePage(title: string, text: string): Page {
  return writePage(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  );
}
