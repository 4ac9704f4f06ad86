import { html } from 'hono/html';

import { type Page, writePage } from '#relay/join/pages/layout';
import type { Role, Sight } from '#relay/rules/roles';
import { sights } from '#relay/rules/roles';

/** Describes what an agent confirms. */
interface Confirmation {
  readonly team: string;
  readonly csrfToken: string;
  readonly email: string;
  readonly role: Role;
  /** The names of the connections. */
  readonly connections: readonly string[];
}

const words: Readonly<Record<Sight, string>> = {
  balance: 'balance',
  email: 'e-mail address',
  profile: 'profile',
};

/** Writes the page on which an agent agrees to join, with what the token will be able to do. */
export function confirmPage({ team, csrfToken, email, role, connections }: Confirmation): Page {
  const seen = sights.filter((sight) => role.sees.includes(sight));
  const hidden = sights.filter((sight) => !role.sees.includes(sight));
  const list = (some: readonly Sight[]): string => some.map((sight) => words[sight]).join(', ');
  return writePage(
    `Join ${team}?`,
    html`<h1>Join ${team}?</h1>
      <dl>
        <dt>You are</dt>
        <dd>${email}</dd>
        <dt>Role</dt>
        <dd>${role.name}</dd>
      </dl>
      <h2>Counterfoil in this browser will be able to</h2>
      <ul>
        <li>
          check purchase codes and read items
          ${connections.length === 0 ? '' : `of ${connections.join(', ')}`}
        </li>
        ${seen.length === 0 ? '' : html`<li>see the account’s ${list(seen)}</li>`}
        ${hidden.length === 0 ? '' : html`<li>not see the account’s ${list(hidden)}</li>`}
      </ul>
      <p>
        Each check is recorded under your name. The permission ends 7 days after its last use, 30
        days from now at the latest, or when your administrator takes it back.
      </p>
      <p>
        Go on only if you chose <strong>Join this team</strong> in Counterfoil yourself, just now.
      </p>
      <form method="post" action="/relay/v1/join/confirm">
        <input type="hidden" name="csrf" value="${csrfToken}" />
        <div class="buttons">
          <button class="primary" name="decision" value="join">Join</button>
          <button name="decision" value="cancel">Cancel</button>
        </div>
      </form>`,
  );
}
