import { hashOf } from '#relay/rules/token';

/** Holds the parts of an invite that has the right form. Says nothing about whether the relay knows it. */
interface InviteParts {
  readonly id: string;
  /** SHA-256 of the whole invite, 32 bytes, as it is stored. */
  readonly hash: Uint8Array;
}

/** Says how long an invite holds, in milliseconds. */
export const inviteMs = 24 * 3_600_000;

/**
 * Writes an invite: `cfi1_<id>_<secret>`, in hexadecimal.
 * @param id 8 random bytes
 * @param secret 32 random bytes
 */
export function writeInvite(id: Uint8Array, secret: Uint8Array): string {
  return `cfi1_${Buffer.from(id).toString('hex')}_${Buffer.from(secret).toString('hex')}`;
}

/** Parses an invite or its link; undefined unless it has the right form. */
export function parseInvite(text: string): InviteParts | undefined {
  const [invite, id] = /(?<![0-9a-z_])cfi1_([0-9a-f]{16})_[0-9a-f]{64}$/.exec(text.trim()) ?? [];
  return invite === undefined || id === undefined ? undefined : { id, hash: hashOf(invite) };
}

/** Returns the link to an invite, which stands in the fragment, so that no server and no log sees it. */
export function inviteLink(origin: string, invite: string): string {
  return `${origin}/relay/v1/join#invite=${invite}`;
}
