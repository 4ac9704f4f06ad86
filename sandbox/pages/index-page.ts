import { html } from 'hono/html';

import { fingerprintOf, toPem } from '#sandbox/authority/keys';
import type { RunningAuthority } from '#sandbox/authority/server';
import { marketplaceIds } from '#core/marketplaces/index';
import { type AllTokens, emulations } from '#sandbox/marketplaces/marketplaces';
import { copyable, type Html, layout } from '#sandbox/pages/layout';
import { sampleFiles } from '#sandbox/samples/files';
import {
  type SampleFile,
  type SampleStanding,
  sampleStandings,
} from '#sandbox/samples/installation';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { everyMarketplaceTicket } from '#sandbox/seed/tickets';
import { type Base, type Deployment, deployments } from '#sandbox/seller/deployments';
import type { FaultRequest } from '#sandbox/seller/faults';

const situations: Readonly<Record<string, string>> = {
  supported: 'Supported',
  extended: 'Extended license, supported',
  lapsed: 'Support lapsed long ago',
  lapsedYesterday: 'Support lapsed yesterday',
  endsTomorrow: 'Support ends tomorrow',
  noSupport: 'Bought without support',
  supportDisabled: 'Support switched off for the item',
  neverDownloaded: 'Never downloaded',
  unknown: 'No such purchase',
  oddDashed: 'Odd code, 10-5-5-5-10',
  oddPrefixed: 'Odd code with a prefix',
  oddPlain: 'Odd code without dashes',
  audioItem: 'Audio item',
  videoItem: 'Video item',
  themeItem: 'Theme, name from right to left',
  longName: 'Very long name, extended license',
  rightToLeft: 'Name from right to left',
  htmlName: 'HTML in the name',
  htmlDescription: 'HTML and a script in the description',
};

/** A part of the page, with a link to it at the top. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** Renders the page at `/`: what is here to be tried, ready to copy. */
export function indexPage(shown: {
  readonly keys: Readonly<Record<Base, string>>;
  readonly tokens: AllTokens;
  /** The token of the seller's control API, which the page's buttons call. */
  readonly controlToken: string;
  readonly authority: RunningAuthority | undefined;
  readonly url: URL;
}): Html {
  const { keys, tokens, controlToken, authority, url } = shown;
  const { origin, port } = url;
  const sections = [
    ...shopSections(keys, origin),
    marketplaceSection(tokens, origin, port),
    deskSection(port),
    dialectSection(keys, origin),
    faultsSection(controlToken),
    ...(authority === undefined ? [] : [authoritySection(authority)]),
  ];
  return layout(
    'Counterfoil sandbox',
    html`<header>
        <h1>Counterfoil sandbox</h1>
        <p>
          A seller API on this machine alone, with a database, made-up sellers and their purchases.
        </p>
        <nav aria-label="Sections">
          <ul>
            ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
            ${authority && html`<li><a href="${authority.origin}/life">Life of a license</a></li>`}
          </ul>
        </nav>
      </header>
      <main>
        ${sections.map(
          ({ id, title, body }) =>
            html`<section id="${id}" aria-labelledby="${id}-title">
              <h2 id="${id}-title">${title}</h2>
              ${body}
            </section>`,
        )}
      </main>`,
  );
}

function shopSections(keys: Readonly<Record<Base, string>>, origin: string): readonly Section[] {
  return deployments
    .filter(({ base }) => !base.startsWith('/dialect/'))
    .map((deployment) => ({
      id: deployment.base.slice(1),
      title: deployment.base,
      body: html`<p>${deployment.about}</p>
        ${address(deployment, keys, origin)}
        <h3>Purchase codes</h3>
        <dl>
          ${Object.entries(sampleCodes(deployment.base)).map(([situation, code]) => {
            const label = situations[situation] ?? situation;
            return html`<dt>${label}</dt>
              <dd>${copyable(code, `code: ${label}`)}</dd>`;
          })}
        </dl>`,
    }));
}

function marketplaceSection(tokens: AllTokens, origin: string, port: string): Section {
  return {
    id: 'marketplaces',
    title: 'Marketplaces',
    body: html`<p>
        To connect one, choose it under <em>Where do you sell?</em>, paste its API key, and put its
        base address into the advanced part of the form.
        <a href="http://localhost:${port}/desk/tickets/${String(everyMarketplaceTicket)}"
          >A ticket with a code of each</a
        >.
      </p>
      ${marketplaceIds.map((id) => {
        const { title, codes, situations, tokens: kinds, store } = emulations[id];
        const listed: readonly (readonly [string, string, string])[] = [
          ['Base address', `${origin}/${id}`, 'base address'],
          ...Object.entries(kinds).map(
            ([kind, label]) => [label, tokens[`/${id}`][kind] ?? '', label] as const,
          ),
          ...(store === undefined ? [] : [['Store number', store, 'store number'] as const]),
          ...Object.entries(codes).map(([situation, code]) => {
            const label = situations[situation] ?? situation;
            return [label, code, `code: ${label}`] as const;
          }),
        ];
        return html`<details>
          <summary>${title}</summary>
          <dl>
            ${listed.map(
              ([label, text, name]) =>
                html`<dt>${label}</dt>
                  <dd>${copyable(text, `${name}, /${id}`)}</dd>`,
            )}
          </dl>
        </details>`;
      })}`,
  };
}

function deskSection(port: string): Section {
  const desk = `http://localhost:${port}/desk`;
  return {
    id: 'help-desk',
    title: 'Help desk',
    body: html`<p>
      <a href="${desk}">Tickets with codes in every shape</a>, at localhost: to a browser that is
      another site than the addresses here.
    </p>`,
  };
}

function dialectSection(keys: Readonly<Record<Base, string>>, origin: string): Section {
  return {
    id: 'dialects',
    title: 'Dialects',
    body: html`<p>
        What real deployments do differently, one at each address. The codes of /market hold here
        too; one-item has its own:
        ${copyable(sampleCodes('/dialect/one-item').supported, 'the code of one-item')}
      </p>
      ${deployments
        .filter(({ base }) => base.startsWith('/dialect/'))
        .map(
          (deployment) =>
            html`<details>
              <summary>${deployment.base.slice('/dialect/'.length)}</summary>
              <p>${deployment.about}</p>
              ${address(deployment, keys, origin)}
            </details>`,
        )}`,
  };
}

function address({ base }: Deployment, keys: Readonly<Record<Base, string>>, origin: string): Html {
  return html`<dl>
    <dt>Base address</dt>
    <dd>${copyable(origin + base, `base address ${base}`)}</dd>
    <dt>API key</dt>
    <dd>${copyable(keys[base], `API key of ${base}`)}</dd>
  </dl>`;
}

/** The faults that a click injects, by their label. */
const choices: Readonly<Record<string, FaultRequest['fault']>> = {
  '2 seconds late': 'latency',
  'No answer': 'silence',
  'Connection reset': 'reset',
  '500, a page': 'html-500',
  '403, the page of a gateway': 'challenge-403',
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
function faultsSection(controlToken: string): Section {
  return {
    id: 'faults',
    title: 'Faults',
    body: html`<p>
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

const headings: Readonly<Record<SampleStanding, string>> = {
  'not-activated': 'Not activated',
  activated: 'Activated',
  'validation-due': 'Validation due',
  grace: 'Grace',
  denied: 'Stopped',
  unverified: 'Unverified',
};

/** Renders the authority on the sandbox's page: its address, its public key, and the sample files to download. */
function authoritySection({
  origin,
  authority: { keys, clock },
  controlToken,
  tokens,
}: RunningAuthority): Section {
  const key = keys.current();
  const files = sampleFiles(key, clock());
  const body = html`<p>
      Activates, validates, issues and revokes licenses:
      <a href="${origin}/openapi.json">all endpoints described</a>. Its key is random for each
      database: a test key, never a live one. The control token moves its clock, takes it away and
      brings it back.
    </p>
    <p>
      <a href="${origin}/life">The life of a license</a>: activate one, let time pass, take the
      server away, revoke it, and see how it stands.
    </p>
    <dl>
      <dt>License server address</dt>
      <dd>${copyable(origin, 'authority address')}</dd>
      <dt>Public key</dt>
      <dd>${copyable(toPem(key.publicKey).trim(), 'public key')}</dd>
      <dt>Its fingerprint</dt>
      <dd>${copyable(fingerprintOf(key.publicKey), 'fingerprint')}</dd>
      <dt>Key id</dt>
      <dd>${copyable(key.id, 'key id')}</dd>
      <dt>Control token</dt>
      <dd>${copyable(controlToken, 'control token of the authority')}</dd>
      <dt>Token of the marketplace</dt>
      <dd>${copyable(tokens.marketplace, 'token of the marketplace')}</dd>
      <dt>Token of the administrator</dt>
      <dd>${copyable(tokens.administrator, 'token of the administrator')}</dd>
    </dl>
    <h3>License files</h3>
    <p>
      Each is made as you download it, and named for what it shows. To verify them, pin
      <a href="${origin}/public-key.pem">public-key.pem</a>. <code>npm run samples</code> writes
      them all into a folder, with a thousand more for the batch.
    </p>
    ${sampleStandings.map((standing) => group(standing, files, origin))}`;
  return { id: 'authority', title: 'License server', body };
}

function group(standing: SampleStanding, files: readonly SampleFile[], origin: string): Html {
  return html`<details>
    <summary>${headings[standing]}</summary>
    <ul>
      ${files
        .filter((file) => file.standing === standing)
        .map(
          ({ name, about }) =>
            html`<li><a href="${origin}/samples/${name}" download>${name}</a>: ${about}</li>`,
        )}
    </ul>
  </details>`;
}
