import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import { readWrittenSettings } from '#core/settings/index';
import { parseTeamSettings, teamSettingsInput } from '#core/team/index';
import { withoutByteOrderMark } from '#core/encoding/index';
import { asksForHelp, readArguments, required } from '#relay/admin/command';
import { parseOrigin } from '#relay/settings';
import { fingerprintOfHex, readSharedKeys, whyRefused } from '#relay/admin/team-settings';
import { messageOf, Problem, whole } from '#relay/problem';

const usage = `settings commands, which need neither database nor network:
  keygen FILE
  sign --key FILE --relay ORIGIN --version N --expires DATE [--revoke PUBLIC_KEY]… SETTINGS_FILE`;

/**
 * Runs a command for signing settings, on the administrator's machine with the signing key, not on the relay's host. Returns the exit code;
 * 2 for an unknown command.
 * @param now epoch milliseconds
 * @throws Problem
 */
export function runSigning(
  [verb = '', ...args]: readonly string[],
  now: number,
  print: (line: string) => void,
): number {
  if (asksForHelp([verb, ...args])) {
    print(usage);
    return 0;
  }
  if (verb === 'keygen') print(makeKey(...readArguments(args, ['the file for the key']).named));
  else if (verb === 'sign') print(signSettings(args, now));
  else {
    print(usage);
    return 2;
  }
  return 0;
}

/** Writes a new signing key into a file that only its owner may read. */
function makeKey(file: string): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(file, pem, { flag: 'wx', mode: 0o400 });
  const publicKey = publicKeyOf(privateKey);
  return [
    `${file} holds the signing key. Keep it, and a copy, away from the relay's host.`,
    `public key\t${publicKey}`,
    `fingerprint\t${fingerprintOfHex(publicKey)}`,
  ].join('\n');
}

function signSettings(args: readonly string[], now: number): string {
  const text = { type: 'string' } as const;
  const { named, values } = readArguments(args, ['the settings file'], {
    key: text,
    relay: text,
    version: text,
    expires: text,
    revoke: { type: 'string', multiple: true, default: [] },
  });
  const [file] = named;
  const settings = readJsonFile(file);
  const key = readSigningKey(required(values.key, 'key'));
  const payload = JSON.stringify({
    format: 'counterfoil-team-settings',
    version: whole(required(values.version, 'version'), 1, Number.MAX_SAFE_INTEGER, '--version'),
    relay: readRelay(required(values.relay, 'relay')),
    issued_at: new Date(now).toISOString(),
    expires_at: readExpiry(required(values.expires, 'expires'), now),
    settings,
    revoked_keys: values.revoke.map(readPublicKey),
  });
  const parsed = parseTeamSettings(payload);
  if (!parsed.ok) throw new Problem(whyRefused(parsed.fault));
  const written = readWrittenSettings(settings);
  if (!written.ok) throw new Problem(whyRefused({ kind: 'settings', fault: written.fault }));
  readSharedKeys(parsed.value.settings.keys);
  return JSON.stringify({
    payload,
    signature: sign(null, teamSettingsInput(payload), key).toString('hex'),
    key: publicKeyOf(key),
  });
}

function readJsonFile(file: string): unknown {
  const text = withoutByteOrderMark(readFileSync(file, 'utf8'));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(`${file} is not valid JSON: ${messageOf(error)}`);
  }
}

function readSigningKey(file: string): KeyObject {
  const pem = readFileSync(file);
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // OpenSSL's own message would not help.
  }
  throw new Problem(`${file} holds no Ed25519 key that "settings keygen" wrote.`);
}

function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
}

function readRelay(text: string): string {
  const origin = parseOrigin(text);
  if (origin !== undefined) return origin;
  throw new Problem('--relay is the address of the relay, such as https://relay.example.');
}

function readExpiry(text: string, now: number): string {
  const at = Date.parse(text);
  if (at > now) return new Date(at).toISOString();
  throw new Problem('--expires is a date to come, such as 2027-06-30.');
}

function readPublicKey(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new Problem('--revoke is a public key: 64 hexadecimal digits.');
}
