import { html } from 'hono/html';

import type { JoinLanguage } from '#relay/join/language';
import { fill, fillHtml, type Page, writePage } from '#relay/join/pages';
import { accountSights, type Role } from '#relay/rules/roles';

/** Describes what an agent confirms. */
interface Confirmation {
  readonly team: string;
  readonly csrfToken: string;
  readonly email: string;
  readonly role: Role;
  /** The names of the connections. */
  readonly connections: readonly string[];
}

/**
 * A second click would take the place of the first, whose answer has the code, and find the join ended. One after some seconds is
 * no double click: the first was stopped perhaps, of which a page is not told.
 */
const sendOnce = `let sent = false;
const allow = () => {
  sent = false;
};
addEventListener('pageshow', allow);
document.querySelector('form').addEventListener('submit', (event) => {
  if (sent) event.preventDefault();
  else setTimeout(allow, 5000);
  sent = true;
});
`;

/** Writes the page on which an agent agrees to join, with what the token will be able to do. */
export function confirmPage(
  { tag, texts }: JoinLanguage,
  { team, csrfToken, email, role, connections }: Confirmation,
): Page {
  const seen = accountSights.filter((sight) => role.sees.includes(sight));
  const hidden = accountSights.filter((sight) => !role.sees.includes(sight));
  const list = new Intl.ListFormat(tag);
  const fields = (some: readonly (typeof accountSights)[number][]): string =>
    list.format(some.map((sight) => texts[sight]));
  return writePage(
    tag,
    fill(texts.joinQuestion, { team }),
    html`<h1>${fillHtml(texts.joinQuestion, { team })}</h1>
      <dl>
        <dt>${texts.youAre}</dt>
        <dd><bdi>${email}</bdi></dd>
        <dt>${texts.role}</dt>
        <dd><bdi>${role.name}</bdi></dd>
      </dl>
      <h2>${texts.ableTo}</h2>
      <ul>
        <li>
          ${
            connections.length === 0
              ? texts.check
              : fillHtml(texts.checkOf, { connections: list.format(connections) })
          }
        </li>
        ${seen.length === 0 ? '' : html`<li>${fill(texts.see, { fields: fields(seen) })}</li>`}
        ${hidden.length === 0 ? '' : html`<li>${fill(texts.notSee, { fields: fields(hidden) })}</li>`}
        ${role.sees.includes('report') ? html`<li>${texts.report}</li>` : ''}
      </ul>
      <p>${texts.recorded}</p>
      <p>${fillHtml(texts.onlyIf, { button: html`<strong>${texts.button}</strong>` })}</p>
      <form method="post" action="/relay/v1/join/confirm">
        <input type="hidden" name="csrf" value="${csrfToken}" />
        <div class="buttons">
          <button class="primary" name="decision" value="join">${texts.confirm}</button>
          <button name="decision" value="cancel">${texts.cancel}</button>
        </div>
      </form>`,
    { script: sendOnce },
  );
}
