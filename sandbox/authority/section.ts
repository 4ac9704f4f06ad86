import { html } from 'hono/html';

import { fingerprintOf, toPem } from '#sandbox/authority/keys';
import type { RunningAuthority } from '#sandbox/authority/server';
import { copyable, type Html, type Section } from '#sandbox/pages/layout';
import { sampleFiles } from '#sandbox/samples/files';
import {
  type SampleFile,
  type SampleStanding,
  sampleStandings,
} from '#sandbox/samples/installation';

const headings: Readonly<Record<SampleStanding, string>> = {
  'not-activated': 'Not activated',
  activated: 'Activated',
  'validation-due': 'Validation due',
  grace: 'Grace',
  denied: 'Stopped',
  unverified: 'Unverified',
};

/** Renders the authority on the sandbox's page: its address, its public key, and the sample files to download. */
export function authoritySection({
  origin,
  authority,
  controlToken,
  tokens,
}: RunningAuthority): Section {
  return {
    id: 'authority',
    title: 'License server',
    body: () => {
      const { keys, clock } = authority;
      const key = keys.current();
      const files = sampleFiles(key, clock());
      return html`<p>
          Activates, validates, issues and revokes licenses:
          <a href="${origin}/openapi.json">all endpoints described</a>. Its key is random for each
          database: a test key, never a live one. The control token moves its clock, takes it away
          and brings it back.
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
    },
  };
}

function group(standing: SampleStanding, files: readonly SampleFile[], origin: string): Html {
  return html`<details open>
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
