import { hexOf } from '#core/license/encoding/bytes';

/** Makes a random UUID of version 4 (RFC 9562, section 5.4). `crypto.randomUUID` is missing outside secure contexts; this is not. */
export function newInstallationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
