import { createPublicKey, verify } from 'node:crypto';

type Claims = Record<string, unknown>;

/**
 * Tells what a well-formed sample says by the book, worked out with nothing of the project's own: the spec's fields,
 * and node:crypto for the signatures. Reads whole files only, no mangled ones.
 */
export function judgeByTheBook(content: string, pem: string, now: number): string {
  const state = content.startsWith('{') ? (JSON.parse(content) as Claims) : undefined;
  const written = state?.['activation_certificate'] ?? state ?? content.trim();
  const license = state?.['license'];
  if (license !== undefined && open(license, pem)?.['typ'] !== 'license') return 'unverified';

  const claims = open(written, pem);
  if (claims === undefined) return 'unverified';
  if (claims['typ'] === 'license') {
    if (state?.['activation_certificate'] !== undefined) return 'unverified';
    return 'installation_id' in claims ? 'unverified' : 'not-activated';
  }
  const [next, grace] = ['next_validation_at', 'grace_until'].map((name) => moment(claims[name]));
  if (next === undefined || grace === undefined) return 'unverified';
  if (now < next) return 'activated';
  if (now >= grace) return 'denied';
  const contact = state?.['last_contact'] as { outcome: string } | undefined;
  return contact?.outcome === 'unreachable' ? 'grace' : 'validation-due';
}

/** The claims of a document whose signature holds. */
function open(written: unknown, pem: string): Claims | undefined {
  const holds = (input: string | Buffer, signature: unknown): boolean => {
    const bytes = Buffer.from(String(signature), 'base64url');
    return verify(null, Buffer.from(input), createPublicKey(pem), bytes);
  };
  const claimsOf = (segment = ''): Claims =>
    JSON.parse(Buffer.from(segment, 'base64url').toString()) as Claims;

  if (typeof written === 'object' && written !== null) {
    const { signature, ...rest } = written as Claims;
    if (typeof rest['payload'] === 'string')
      return open(`${rest['payload']}.${String(signature)}`, pem);
    return holds(JSON.stringify(rest, Object.keys(rest).sort()), signature) ? rest : undefined;
  }
  const parts = String(written).split('.');
  const [first = '', second = '', third] = parts;
  if (parts.length === 3) return holds(`${first}.${second}`, third) ? claimsOf(second) : undefined;
  const genuine = [Buffer.from(first, 'base64url'), first].some((input) => holds(input, second));
  // A payload that is itself `header.payload` of a JWS is no document at all.
  return genuine && first.startsWith('eyJ') ? claimsOf(first) : undefined;
}

function moment(written: unknown): number | undefined {
  if (typeof written === 'number') return written * 1000;
  return typeof written === 'string' ? Date.parse(written) : undefined;
}
