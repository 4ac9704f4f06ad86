import { html } from 'hono/html';

import type { Html } from '#sandbox/pages/html';

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
