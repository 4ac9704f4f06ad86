import { html } from 'hono/html';

import { copyable } from '#sandbox/pages/copyable';
import type { Section } from '#sandbox/pages/section';
import { deployments } from '#sandbox/seller/deployments';
import type { FaultRequest } from '#sandbox/seller/fault-commands';

/** The faults that a click injects, by their label. */
const choices: Readonly<Record<string, FaultRequest['fault']>> = {
  '2 seconds late': 'latency',
  'No answer': 'silence',
  'Connection reset': 'reset',
  '500, a page': 'html-500',
  '503, busy': 'busy-503',
  '429, too many requests': 'too-many-429',
  'Redirect to another origin': 'redirect',
  'Half of the JSON': 'truncated',
  'Cut off in the middle': 'cut-off',
  'Wrong types': 'wrong-types',
  'Another purchase code': 'other-code',
  'A reply without end': 'endless',
};

/**
 * Offers each fault as a button, for the next answer of one base address.
 *
 * @param controlToken of the control API; the page's script sends it as a bearer token
 */
export function faultsSection(controlToken: string): Section {
  return {
    id: 'faults',
    title: 'Faults',
    body: () =>
      html`<p>
          A click decides the next answer of one address. The answer after it is right again.
        </p>
        <div class="faults" data-control-token="${controlToken}">
          <p>
            <label
              >Next answer of
              <select name="base">
                ${deployments.map(({ base }) => html`<option>${base}</option>`)}
              </select></label
            >
          </p>
          <p class="buttons">
            ${Object.entries(choices).map(
              ([label, fault]) =>
                html`<button type="button" data-inject="${fault}">${label}</button> `,
            )}
          </p>
          <p role="status" class="meta"></p>
          <p><button type="button" data-clear-faults>Remove all that wait</button></p>
        </div>
        <dl>
          <dt>Control token</dt>
          <dd>${copyable(controlToken, 'control token of the seller API')}</dd>
        </dl>
        <p class="meta">
          New at every start. <code>sandbox/README.md</code> lists what else it controls.
        </p>`,
  };
}
