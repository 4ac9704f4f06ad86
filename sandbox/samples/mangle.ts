/** Changes a token as mail programs, word processors and forms do. */

/** Breaks the text into lines of so many characters, with the line ends of mail. */
export function wrap(text: string, columns: number): string {
  return (text.match(new RegExp(`.{1,${String(columns)}}`, 'g')) ?? []).join('\r\n');
}

/** Puts the `> ` of a reply before every line. */
export function quote(text: string): string {
  return text
    .split('\r\n')
    .map((line) => `> ${line}`)
    .join('\r\n');
}

/** Inserts a zero-width space after every so many characters, as rich-text editors do. */
export function sprinkle(text: string, every: number): string {
  return (text.match(new RegExp(`.{1,${String(every)}}`, 'g')) ?? []).join('\u200B');
}

/** Writes padded base64 in place of base64url. */
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

/** Changes the payload and leaves the signature. */
export function tamper(token: string, from: string, to: string): string {
  const [payload = '', signature = ''] = token.split('.');
  const text = Buffer.from(payload, 'base64url').toString().replace(from, to);
  return `${Buffer.from(text).toString('base64url')}.${signature}`;
}

/** Makes a JWS that asks not to be verified. */
export function unsignedJws(jws: string): string {
  const [, payload = ''] = jws.split('.');
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
}

/** Carries the signing input of a JWS as the payload of an envelope, under the signature that holds over it. */
export function dressedAsLicense(jws: string): string {
  const end = jws.lastIndexOf('.');
  return `${Buffer.from(jws.slice(0, end)).toString('base64url')}${jws.slice(end)}`;
}
