import { createPublicKey, verify } from 'node:crypto';

import * as v from 'valibot';

import { sharedKeySchema } from '#core/key-ring/index';
import { bytesOfHex, parseJson, withoutByteOrderMark } from '#core/encoding/index';
import { fingerprintOf, groupedFingerprint, type PinnedKey } from '#core/keys/index';
import { type Ed25519Engine, judgeRawKey } from '#core/keys/ed25519';
import { accountLocation } from '#core/connections/index';
import {
  parseTeamSettings,
  readSignedSettings,
  type TeamSettingsFault,
  verifyTeamSettings,
} from '#core/team/index';
import { command, type CommandContext } from '#relay/admin/command';
import { Problem } from '#relay/problem';

/** Verifies with Node's own Ed25519, which its WebCrypto uses too. */
const nodeEngine: Ed25519Engine = {
  name: 'webcrypto',
  fitKey: (raw) => {
    const bytes = bytesOfHex(raw);
    return bytes !== undefined && judgeRawKey(bytes) === undefined ? bytes : undefined;
  },
  holds: (publicKey, message, signature) => {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return Promise.resolve(verify(null, message, key, signature));
  },
};

/** Returns the base address at which a browser asks the relay for a connection. */
export const relayAddressOf = (origin: string, id: string): string => `${origin}/c/${id}`;

/** Writes a settings file with the relay's own connections, to be extended and then signed with `settings sign`. */
export async function draftTeamSettings({ store, origin }: CommandContext): Promise<string> {
  if (origin === undefined) throw new Problem('Set RELAY_ORIGIN to the relay’s address.');
  const connections = (await store.connections()).map((one) => ({
    id: one.id,
    name: one.name,
    baseAddress: relayAddressOf(origin, one.id),
    ...accountLocation(one),
    dialect: {
      keyPlacement: 'Authorization',
      encoding: 'form',
      proven: true,
      plainUserAgent: false,
      // The relay's limit for each agent's browser, within the range allowed in a settings file.
      requestsPerMinute: Math.min(
        Math.max(Math.floor((one.limit * 60_000) / one.windowMs), 1),
        6000,
      ),
    },
  }));
  return JSON.stringify({ format: 'counterfoil-settings', version: 2, connections }, null, 2);
}

/** Stores settings signed with `settings sign`, to offer to every agent. Returns their version. */
export async function setTeamSettings(
  { store, origin, now }: CommandContext,
  text: string,
  newSigner = false,
): Promise<number> {
  const signed = readSignedSettings(parseJson(withoutByteOrderMark(text)));
  if (signed === undefined) throw new Problem('That is nothing that "settings sign" wrote.');
  const parsed = parseTeamSettings(signed.payload);
  const relay = origin ?? (parsed.ok ? parsed.value.relay : '');
  const known = { relay, settingsKey: signed.key, version: 0 };
  const verified = await verifyTeamSettings(signed, known, nodeEngine, now());
  if (!verified.ok) throw new Problem(whyRefused(verified.fault));
  readSharedKeys(verified.value.settings.keys);

  const before = await store.findSettings();
  if (before !== undefined && before.key !== signed.key && !newSigner) {
    throw new Problem(
      `They are signed by another key, ${fingerprintOfHex(signed.key)}, which no agent has confirmed. If that is meant: --new-signer`,
    );
  }
  const { version } = verified.value;
  if (!(await store.putSettings({ ...signed, version }))) {
    throw new Problem(
      `Version ${String(version)} is not higher than ${String(before?.version ?? 0)}, which is stored.`,
    );
  }
  return version;
}

export const teamSettingsCommands = {
  'settings draft': command({ takes: '> FILE' }, async (context) => {
    context.print(await draftTeamSettings(context));
  }),
  'settings set': command(
    {
      takes: '[--new-signer] < FILE',
      begins: true,
      options: { 'new-signer': { type: 'boolean', default: false } },
    },
    async (context, _, values) => {
      const text = await context.readInput();
      const version = await setTeamSettings(context, text, values['new-signer']);
      context.print(
        `Version ${String(version)} is offered to every agent, who sees what changes first.`,
      );
    },
  ),
  'settings show': command({}, async ({ store, print }) => {
    const stored = await store.findSettings();
    if (stored === undefined) {
      print('There are no settings for the team.');
      return;
    }
    print(`version\t${String(stored.version)}`);
    print(`signed by\t${fingerprintOfHex(stored.key)}`);
    print(JSON.stringify(parseJson(stored.payload), null, 2));
  }),
};

/** Reads a team's public keys. Agents see only their labels. @throws Problem for the first one that agents could not pin as it is */
export function readSharedKeys(keys: readonly unknown[]): readonly PinnedKey[] {
  const read = v.safeParse(v.array(sharedKeySchema), keys, { abortEarly: true });
  if (!read.success) {
    throw new Problem(whyUnreadable(`keys.${v.getDotPath(read.issues[0]) ?? ''}`));
  }
  const wrong = read.output.findIndex(
    ({ raw, fingerprint }) => fingerprintOf(bytesOfHex(raw) ?? new Uint8Array()) !== fingerprint,
  );
  if (wrong < 0) return read.output;
  throw new Problem(`The fingerprint at keys.${String(wrong)}.fingerprint is of another key.`);
}

/** Returns a public key's fingerprint in the form that agents compare by eye. @param key 64 hexadecimal digits */
export function fingerprintOfHex(key: string): string {
  return groupedFingerprint(fingerprintOf(bytesOfHex(key) ?? new Uint8Array()));
}

function whyUnreadable(path: string): string {
  return `The settings file in them cannot be read at ${path}.`;
}

export function whyRefused(fault: TeamSettingsFault): string {
  switch (fault.kind) {
    case 'not-team-settings':
      return 'They are not what "settings sign" writes.';
    case 'settings':
      return fault.fault.kind === 'unreadable'
        ? whyUnreadable(fault.fault.path)
        : `The settings file in them cannot be read: ${fault.fault.kind}.`;
    case 'other-signer':
    case 'wrong-signature':
      return 'Their signature is wrong.';
    case 'other-relay':
      return `They were signed for ${fault.relay}, and RELAY_ORIGIN is another address.`;
    case 'expired':
      return `They expired at ${new Date(fault.at).toISOString()}.`;
    case 'older-version':
      return 'They are older than what is stored.';
  }
}
