import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Deployment } from '#sandbox/seller/deployments';
import type { StoredAccount } from '#sandbox/seller/seller-store';

/** A piece of a page, already escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Renders the frame of each of the sandbox's own pages. */
export function layout(title: string, body: Html, script = '/sandbox.js'): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/sandbox.css" />
        <link rel="icon" href="data:," />
        <script src="${script}" type="module"></script>
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

/**
 * Renders a value with a button that copies it.
 *
 * @param what its name for people who cannot see it next to the button
 */
export function copyable(value: string, what: string): Html {
  return html`<span class="copyable"
    ><code dir="ltr">${value}</code
    ><button type="button" data-copy="${value}" aria-label="Copy ${what}">Copy</button></span
  >`;
}

const titles = { 404: 'Not Found', 405: 'Method Not Allowed', 500: 'Server Error' } as const;

/** Renders a web framework's own page: HTML instead of the expected JSON. */
export function frameworkPage(status: keyof typeof titles): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${titles[status]}</title>
        <style>
          :root {
            color-scheme: light dark;
          }
          body {
            margin: 20vh 1rem;
            font-family: system-ui;
            text-align: center;
          }
          h1 {
            font-size: 1.25rem;
          }
        </style>
      </head>
      <body>
        <h1>${String(status)} | ${titles[status]}</h1>
      </body>
    </html>`;
}

/** Renders the shop's front page, which has the same address as its API. */
export function homePage(deployment: Deployment, account: StoredAccount): Html {
  return layout(
    account.username,
    html`<main>
      <h1>${account.heading}</h1>
      <p>${account.username}, a shop in the sandbox. ${deployment.about}</p>
      <p><a href="/">Back to the sandbox</a></p>
    </main>`,
  );
}
