import { html } from 'hono/html';

import { type Html, type Page, writePage } from '#relay/join/pages/layout';

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
export function choicePage({ team, csrfToken, provider, problem }: Choices): Page {
  return writePage(
    `Join ${team}`,
    html`<h1>Join ${team}</h1>
      ${problem === undefined ? '' : html`<p class="alert" role="alert">${problem}</p>`}
      ${provider === undefined ? '' : signIn(provider)}
      <form method="post" action="/relay/v1/join/invite">
        <input type="hidden" name="csrf" value="${csrfToken}" />
        <h2>${provider === undefined ? 'With an invite' : 'Or with an invite'}</h2>
        <label for="invite">Invite link</label>
        <input id="invite" name="invite" required autocomplete="off" spellcheck="false" />
        <p class="muted">Your administrator sent it to you. It holds for a day and works once.</p>
        <div class="buttons">
          <button ${provider === undefined ? html`class="primary"` : ''}>Use invite</button>
        </div>
      </form>`,
    { script: sendInvite },
  );
}

function signIn(provider: string): Html {
  return html`<h2>With your account</h2>
    <p>You sign in at <strong>${provider}</strong> and come back here.</p>
    <div class="buttons">
      <a class="button primary" href="/relay/v1/join/sign-in">Sign in</a>
    </div>`;
}

/** Shows the whole link, invite included, which the server does not see. */
const showLink = `document.querySelector('#link').value = location.href;
`;

/** Writes the page that is seen when the link is opened in the browser and not by Counterfoil. */
export function linkPage(team: string, link: string): Page {
  return writePage(
    `Join ${team}`,
    html`<h1>Join ${team}</h1>
      <p>
        Joining begins in Counterfoil: open its settings, and paste this link under
        <strong>Team</strong>.
      </p>
      <label for="link">Link</label>
      <input id="link" readonly value="${link}" />
      <p class="muted">If it holds an invite, keep it to yourself: it works once, for you.</p>`,
    { script: showLink },
  );
}
