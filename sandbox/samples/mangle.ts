/** What mail programs, word processors and forms do to a token on its way to the help desk. */

/** Lines of so many characters, ended as in mail. */
export function wrap(text: string, columns: number): string {
  return (text.match(new RegExp(`.{1,${String(columns)}}`, 'g')) ?? []).join('\r\n');
}

/** The `> ` of a reply, on every line. */
export function quote(text: string): string {
  return text
    .split('\r\n')
    .map((line) => `> ${line}`)
    .join('\r\n');
}

/** A zero-width space after every so many characters, as rich-text editors leave behind. */
export function sprinkle(text: string, every: number): string {
  return (text.match(new RegExp(`.{1,${String(every)}}`, 'g')) ?? []).join('\u200B');
}

/** Base64 with its padding where base64url was due. */
export function toPaddedBase64(token: string): string {
  return token
    .split('.')
    .map((segment) => Buffer.from(segment, 'base64url').toString('base64'))
    .join('.');
}

export function armour(text: string, label: string): string {
  return [`-----BEGIN ${label}-----`, wrap(text, 64), `-----END ${label}-----`, ''].join('\r\n');
}

export function mail(...paragraphs: string[]): string {
  return [
    'Hello,',
    'since this morning the dashboard says that my license is denied.',
    ...paragraphs,
    'Kind regards,\r\nAda',
  ].join('\r\n\r\n');
}

/** The payload changed and the signature kept. */
export function tamper(token: string, from: string, to: string): string {
  const [payload = '', signature = ''] = token.split('.');
  const text = Buffer.from(payload, 'base64url').toString().replace(from, to);
  return `${Buffer.from(text).toString('base64url')}.${signature}`;
}

/** A JWS that asks not to be verified. */
export function unsignedJws(jws: string): string {
  const [, payload = ''] = jws.split('.');
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
}
