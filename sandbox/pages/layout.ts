import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Holds a piece of a page, escaped where it was made. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Renders the frame of every page that is the sandbox's own. */
export function layout(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/sandbox.css" />
        <link rel="icon" href="data:," />
        <script src="/sandbox.js" defer></script>
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

/**
 * Renders a value with a button that copies it.
 *
 * @param what names it to whoever cannot see it beside the button
 */
export function copyable(value: string, what: string): Html {
  return html`<span class="copyable"
    ><code dir="ltr">${value}</code
    ><button type="button" data-copy="${value}" aria-label="Copy ${what}">Copy</button></span
  >`;
}

/** Describes one part of the page at `/`. Others than the seller API add theirs through `Sandbox.addSection`. */
export interface Section {
  /** Of the element, to be linked to. */
  readonly id: string;
  readonly title: string;
  /** Called for each request. */
  readonly body: (seen: { readonly origin: string }) => Html;
}
