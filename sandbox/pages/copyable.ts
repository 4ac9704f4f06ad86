import { html } from 'hono/html';

import type { Html } from '#sandbox/pages/html';

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
