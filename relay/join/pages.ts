import { createHash } from 'node:crypto';

import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

import { directionOf } from '#core/text/language';

/** Holds a piece of a page, escaped where it was made. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Holds a whole page with the headers that it is sent with. */
export interface Page {
  readonly body: Html;
  readonly headers: Readonly<Record<string, string>>;
}

interface PageOptions {
  /** Runs in the page; allowed by its hash. */
  readonly script?: string;
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
label { display: block; margin: 0 0 4px; font-weight: 550; }
input { width: 100%; min-height: 36px; padding: 4px 12px; font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--edge); border-radius: 8px; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 16px; }
button, .button { min-height: 36px; padding: 6px 16px; font: inherit; font-weight: 550; line-height: 22px; text-decoration: none; color: var(--accent); background: var(--surface); border: 1px solid var(--edge); border-radius: 8px; cursor: pointer; }
.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.alert { margin: 0 0 16px; padding: 8px 12px; color: var(--bad); background: var(--bad-bg); border-radius: 8px; }
`;

/** Puts values into a text at their names. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** Puts values into a text at their names, each kept apart from the direction of the words around it. */
export function fillHtml(text: string, values: Readonly<Record<string, string | Html>>): Html {
  const parts = text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : html`<bdi>${values[part] ?? ''}</bdi>`));
  return html`${parts}`;
}

/**
 * Wraps a page. Nothing runs in it but the given script, nothing frames it, nothing of it is kept.
 * @param language a BCP 47 tag
 */
export function writePage(
  language: string,
  title: string,
  content: Html,
  { script = '' }: PageOptions = {},
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
      // With `no-referrer` a browser writes "Origin: null" to a form's POST; what the check needs stays on this origin.
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
          <title>${title}</title>
          <link rel="icon" href="data:," />
          ${raw(`<style>${style}</style>`)}
        </head>
        <body>
          <main>${content}</main>
          ${script === '' ? '' : raw(`<script>${script}</script>`)}
        </body>
      </html>`,
  };
}

function hashSource(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
