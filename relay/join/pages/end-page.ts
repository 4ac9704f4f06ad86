import { html } from 'hono/html';

import type { JoinLanguage, JoinTexts } from '#relay/join/language';
import { type Page, writePage } from '#relay/join/pages';

/** The result stands in the fragment, for Counterfoil to read; the server does not see it. */
const showResult = (
  texts: JoinTexts,
): string => `const result = new URLSearchParams(location.hash.slice(1));
const texts = ${JSON.stringify({
  joined: [texts.joined, texts.joinedText],
  expired: [texts.expired, texts.expiredText],
  access_denied: [texts.notJoined, texts.notJoinedText],
})};
const error = result.get('error');
const shown = error === null ? result.has('code') && texts.joined : texts[error] || texts.access_denied;
if (shown) {
  document.title = shown[0];
  document.querySelector('h1').textContent = shown[0];
  document.querySelector('h1 + p').textContent = shown[1];
}
`;

/** Writes the page that a join ends on, whether it was confirmed or refused. */
export function joinedPage({ tag, texts }: JoinLanguage): Page {
  return writePage(
    tag,
    texts.goBack,
    html`<h1>${texts.goBack}</h1>
      <p>${texts.goBackText}</p>`,
    { script: showResult(texts) },
  );
}

/** Writes a page that says why it does not go on here. */
export function noticePage({ tag }: JoinLanguage, title: string, text: string): Page {
  return writePage(
    tag,
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  );
}
