import { html } from 'hono/html';

import type { JoinLanguage, JoinTexts } from '#relay/join/language';
import { fill, fillHtml, type Html, type Page, writePage } from '#relay/join/pages';

/** Describes what an agent chooses from. */
interface Choices {
  readonly team: string;
  readonly csrfToken: string;
  /** The host of the OpenID provider, where there is one. */
  readonly provider: string | undefined;
  /** Says what went wrong before. */
  readonly problem?: string;
}

/** Takes the invite out of the address, so that it stays in no history, and sends it in the body of a request. */
const sendInvite = `const invite = /^#invite=(cfi1_[0-9a-f]{16}_[0-9a-f]{64})$/.exec(location.hash);
if (invite) {
  history.replaceState(null, '', location.pathname + location.search);
  const form = document.querySelector('form');
  form.elements.invite.value = invite[1];
  form.requestSubmit();
}
`;

/** Writes the page on which an agent signs in or shows an invite. */
export function choicePage(
  { tag, texts }: JoinLanguage,
  { team, csrfToken, provider, problem }: Choices,
): Page {
  return writePage(
    tag,
    fill(texts.join, { team }),
    html`<h1>${fillHtml(texts.join, { team })}</h1>
      ${problem === undefined ? '' : html`<p class="alert" role="alert">${problem}</p>`}
      ${provider === undefined ? '' : signIn(texts, provider)}
      <form method="post" action="/relay/v1/join/invite">
        <input type="hidden" name="csrf" value="${csrfToken}" />
        <h2>${provider === undefined ? texts.withInvite : texts.orWithInvite}</h2>
        <label for="invite">${texts.inviteLink}</label>
        <input id="invite" name="invite" dir="ltr" required autocomplete="off" spellcheck="false" />
        <p class="muted">${texts.inviteHint}</p>
        <div class="buttons">
          <button ${provider === undefined ? html`class="primary"` : ''}>${texts.useInvite}</button>
        </div>
      </form>`,
    { script: sendInvite },
  );
}

function signIn(texts: JoinTexts, provider: string): Html {
  return html`<h2>${texts.withAccount}</h2>
    <p>${fillHtml(texts.signInAt, { provider: html`<strong>${provider}</strong>` })}</p>
    <div class="buttons">
      <a class="button primary" href="/relay/v1/join/sign-in">${texts.signIn}</a>
    </div>`;
}

/** Shows the whole link, invite included, which the server does not see. */
const showLink = `document.querySelector('#link').value = location.href;
`;

/** Writes the page that is seen when the link is opened in the browser and not by Counterfoil. */
export function linkPage({ tag, texts }: JoinLanguage, team: string, link: string): Page {
  return writePage(
    tag,
    fill(texts.join, { team }),
    html`<h1>${fillHtml(texts.join, { team })}</h1>
      <p>${fillHtml(texts.beginThere, { section: html`<strong>${texts.section}</strong>` })}</p>
      <label for="link">${texts.link}</label>
      <input id="link" dir="ltr" readonly value="${link}" />
      <p class="muted">${texts.linkHint}</p>`,
    { script: showLink },
  );
}
