import { createHash } from 'node:crypto';

import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

import { directionOf } from '#core/text/index';
import type { JoinLanguage, JoinTexts } from '#relay/join/texts';
import { accountParts, type Role } from '#relay/rules/index';

interface Choices {
  readonly team: string;
  readonly csrfToken: string;
  /** The host of the OpenID provider, if there is one. */
  readonly provider: string | undefined;
  readonly problem: string | undefined;
}

/** Removes the invite from the address, so that it does not stay in a history, and sends it in the body of a request. */
const sendInvite = `const invite = /^#invite=(cfi1_[0-9a-f]{16}_[0-9a-f]{64})$/.exec(location.hash);
if (invite) {
  history.replaceState(null, '', location.pathname + location.search);
  const form = document.querySelector('form');
  form.elements.invite.value = invite[1];
  form.requestSubmit();
}
`;

export function choicePage(
  { tag, texts }: JoinLanguage,
  { team, csrfToken, provider, problem }: Choices,
): Page {
  return writePage(
    tag,
    texts.join,
    { team },
    html`${problem === undefined ? '' : html`<p class="alert" role="alert">${problem}</p>`}
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
    sendInvite,
  );
}

function signIn(texts: JoinTexts, provider: string): Html {
  return html`<h2>${texts.withAccount}</h2>
    <p>${fillHtml(texts.signInAt, { provider: strong(provider) })}</p>
    <div class="buttons">
      <a class="button primary" href="/relay/v1/join/sign-in">${texts.signIn}</a>
    </div>`;
}

/** Shows the whole link, including the invite, which the server does not see. */
const showLink = `document.querySelector('#link').value = location.href;
`;

/** Writes the page that is shown if the link is opened in the browser rather than by Counterfoil. */
export function linkPage({ tag, texts }: JoinLanguage, team: string, link: string): Page {
  return writePage(
    tag,
    texts.join,
    { team },
    html`<p>${fillHtml(texts.beginThere, { section: strong(texts.section) })}</p>
      <label for="link">${texts.link}</label>
      <input id="link" dir="ltr" readonly value="${link}" />
      <p class="muted">${texts.linkHint}</p>`,
    showLink,
  );
}

interface Confirmation {
  readonly team: string;
  readonly csrfToken: string;
  readonly email: string;
  readonly role: Role;
  readonly connections: readonly string[];
}

/**
 * A second click would replace the first, whose answer has the code, and find the join ended. After some seconds it is not a double click:
 * the first may have been stopped, which a page cannot see.
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

export function confirmPage(
  { tag, texts }: JoinLanguage,
  { team, csrfToken, email, role, connections }: Confirmation,
): Page {
  const seen = accountParts.filter((part) => role.maySee.includes(part));
  const hidden = accountParts.filter((part) => !role.maySee.includes(part));
  const list = new Intl.ListFormat(tag);
  const fields = (some: readonly (typeof accountParts)[number][]): string =>
    list.format(some.map((part) => texts[part]));
  return writePage(
    tag,
    texts.joinQuestion,
    { team },
    html`<dl>
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
        ${role.maySee.includes('report') ? html`<li>${texts.report}</li>` : ''}
      </ul>
      ${hidden.length === 0 ? '' : html`<p>${fill(texts.notSee, { fields: fields(hidden) })}</p>`}
      <p>${texts.recorded}</p>
      <p>${fillHtml(texts.onlyIf, { button: strong(texts.button), again: strong(texts.renew) })}</p>
      <form method="post" action="/relay/v1/join/confirm">
        <input type="hidden" name="csrf" value="${csrfToken}" />
        <div class="buttons">
          <button class="primary" name="decision" value="join">${texts.confirm}</button>
          <button name="decision" value="cancel">${texts.cancel}</button>
        </div>
      </form>`,
    sendOnce,
  );
}

/** The result is in the fragment, for Counterfoil to read; the server does not see it. */
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

export function joinedPage(language: JoinLanguage): Page {
  return noticePage(language, 'goBack', 'goBackText', {}, showResult(language.texts));
}

/** Writes a page that explains why the join cannot continue here. @param values of the text */
export function noticePage(
  { tag, texts }: JoinLanguage,
  title: keyof JoinTexts,
  text: keyof JoinTexts,
  values: Readonly<Record<string, string>> = {},
  script = '',
): Page {
  return writePage(tag, texts[title], {}, html`<p>${fill(texts[text], values)}</p>`, script);
}

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const strong = (text: string): Html => html`<strong>${text}</strong>`;

export interface Page {
  readonly body: Html;
  readonly headers: Readonly<Record<string, string>>;
}

const style = `:root {
  color-scheme: light dark;
  --bg: light-dark(oklch(98% 0.005 268), oklch(19% 0.012 268));
  --surface: light-dark(oklch(100% 0 0), oklch(23.5% 0.014 268));
  --line: light-dark(oklch(90% 0.011 268), oklch(33% 0.016 268));
  --edge: light-dark(oklch(64% 0.02 268), oklch(57% 0.02 268));
  --ink: light-dark(oklch(24% 0.03 268), oklch(95% 0.006 268));
  --muted: light-dark(oklch(47% 0.025 268), oklch(75% 0.018 268));
  --accent: light-dark(oklch(49% 0.19 268), oklch(77% 0.115 268));
  --on-accent: light-dark(oklch(99% 0 0), oklch(19% 0.03 268));
  --bad: light-dark(oklch(49% 0.18 25), oklch(79% 0.12 25));
  --bad-bg: light-dark(oklch(96% 0.022 25), oklch(28% 0.05 25));
}
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: var(--bg); color: var(--ink); font: 0.9375rem/1.5 ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
main { max-width: 34rem; margin: 5vh auto 0; padding: clamp(16px, 5vw, 32px); background: var(--surface); border: 1px solid var(--line); border-radius: 10px; overflow-wrap: anywhere; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 12px; text-wrap: balance; }
h2 { font-size: 0.9375rem; margin: 24px 0 8px; }
p, ul, dl { margin: 0 0 12px; }
ul { padding-inline-start: 20px; }
dl { display: grid; grid-template-columns: minmax(5rem, auto) 1fr; gap: 4px 16px; }
dt, .muted { color: var(--muted); }
dd { margin: 0; }
label { display: block; margin: 0 0 4px; font-weight: 700; }
input { width: 100%; min-height: 36px; padding: 4px 12px; font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--edge); border-radius: 8px; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 16px; }
button, .button { min-height: 36px; padding: 6px 16px; font: inherit; font-weight: 700; line-height: 22px; text-decoration: none; color: var(--accent); background: var(--surface); border: 1px solid var(--edge); border-radius: 8px; cursor: pointer; }
.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.alert { margin: 0 0 16px; padding: 8px 12px; color: var(--bad); background: var(--bad-bg); border-radius: 8px; }
`;

export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** Puts values into a text at their names, each kept apart from the direction of the words around it. */
function fillHtml(text: string, values: Readonly<Record<string, string | Html>>): Html {
  const parts = text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : html`<bdi>${values[part] ?? ''}</bdi>`));
  return html`${parts}`;
}

/**
 * Wraps a page. Nothing runs in it but the given script, nothing frames it, nothing of it is kept.
 * @param language a BCP 47 tag
 * @param title shown in the tab and above the page, with its values
 * @param script a script for the page, allowed by its hash
 */
function writePage(
  language: string,
  title: string,
  values: Readonly<Record<string, string>>,
  content: Html,
  script: string,
): Page {
  return {
    headers: {
      'Cache-Control': 'no-store',
      'Content-Security-Policy': [
        "default-src 'none'",
        `style-src '${hashSource(style)}'`,
        ...(script === '' ? [] : [`script-src '${hashSource(script)}'`]),
        'img-src data:',
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ].join('; '),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      // Under `no-referrer` a browser sends "Origin: null" with a form's POST. `same-origin` keeps the header that the check
      // needs.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
    body: html`<!doctype html>
      <html lang="${language}" dir="${directionOf(language)}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${fill(title, values)}</title>
          <link rel="icon" href="data:," />
          ${raw(`<style>${style}</style>`)}
        </head>
        <body>
          <main>
            <h1>${fillHtml(title, values)}</h1>
            ${content}
          </main>
          ${script === '' ? '' : raw(`<script>${script}</script>`)}
        </body>
      </html>`,
  };
}

function hashSource(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
