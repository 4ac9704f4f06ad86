import { plainForm, readingsOf, transportsOfLicenses } from '#core/reading/index';

/**
 * Tells whether a text contains a license or certificate that the verifier would find. Checks the form, not the
 * signature.
 */
export function holdsLicense(text: string): boolean {
  for (const reading of readingsOf(text, transportsOfLicenses)) {
    const plain = withHyphens(plainForm(reading).text);
    if (isWhollyLicense(plain) || hasArmour(plain) || hasToken(plain)) return true;
    if (jsonOfLicense.test(plain.replaceAll(/[\u201C-\u201E]/g, '"'))) return true;
  }
  return false;
}

/** Tells whether a text is only a license, so that ids inside it are not read as purchase codes. */
export function isWhollyLicense(text: string): boolean {
  const trimmed = withHyphens(text.trim());
  if (trimmed.startsWith('{') && trimmed.endsWith('}')) return jsonOfLicense.test(trimmed);
  const lines = trimmed.split(/\s/);
  // Mail programs break a token into lines longer than any word in prose.
  return lines.some((line) => line.length >= minBrokenLineLetters) && isToken(lines.join(''));
}

/** Replaces the dashes that word processors write for a token's hyphens. */
function withHyphens(plain: string): string {
  return plain.replaceAll('–', '-');
}

/** A license in JSON is a token or a signed object. A text such as "Regular License" is only the name of one. */
const jsonOfLicense =
  /"activation_certificate"\s{0,8}:|"license"\s{0,8}:\s{0,8}(?:"[\w+/=-]{40,}\.[\w+/=.-]{40,}"|\{\s{0,8}"(?:payload|signature)")|^(?=[^]*"payload"\s{0,8}:)[^]*"signature"\s{0,8}:/;

const minBrokenLineLetters = 40;
const minPayloadLetters = 16;
/** An Ed25519 signature takes 86 characters and two of padding; some may be lost, or a word joined to them. */
const minSignatureLetters = 60;
/** Padding stands at the end; behind the sign of a setting its value follows. */
const signatureForm = /^[^=]{60,100}=*$/;

function hasArmour(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]{0,40}(?:LICEN[CS]E|CERTIFICATE|ACTIVATION)/.test(text);
}

function hasToken(text: string): boolean {
  for (const [word] of text.matchAll(/[\w.=+/-]+/g))
    if (word.length > minPayloadLetters + minSignatureLetters && isToken(word)) return true;
  return hasBrokenToken(text);
}

/** The start of JSON in base64: `{`, then a quotation mark, a line break or a space. */
const jsonBegins = /e(?:y[AIJ]|w[0gko])/;
/**
 * Mail programs and configuration files break a token into pieces longer than most words, or else into pieces of equal length.
 */
const minPieceLetters = 16;

/** Tells whether a text holds a token that was broken into pieces; its last one may be short. */
function hasBrokenToken(text: string): boolean {
  /** How many letters of its payload and its signature were read; the payload's is 0 before it begins. */
  let payload = 0;
  let signature = 0;
  let evenLength = 0;
  for (const word of text.split(/\s/)) {
    const begin = payload > 0 ? 0 : word.search(jsonBegins);
    if (payload === 0) evenLength = word.length;
    // The last piece may be followed by closing quotation marks.
    const letters = word.slice(begin).replace(/[`"'*|)\]}>;,]{1,3}$/, '');
    const isPiece = begin >= 0 && /^[\w.=+/-]*$/.test(letters);
    const [first = '', ...more] = isPiece ? letters.split('.') : [];
    const last = more.at(-1);
    if (signature > 0 && last === undefined) signature += first.length;
    else if (last === undefined) payload += first.length;
    else {
      payload += first.length;
      signature = Math.max(1, last.length);
    }
    if (payload >= minPayloadLetters && signature >= minSignatureLetters) return true;
    const isShort = word.length < minPieceLetters && word.length !== evenLength;
    if (!isPiece || (word !== '' && isShort)) payload = signature = 0;
  }
  return false;
}

/** Tells whether a word has the form of a license, a certificate or a JWS: base64 segments, the last one a signature. */
export function isToken(word: string): boolean {
  if (!/^[\w.=+/-]+$/.test(word)) return false;
  const segments = word.split('.').filter((segment) => segment !== '');
  const [payload = '', signature = ''] = segments.slice(-2);
  return (
    segments.length <= 3 && payload.length >= minPayloadLetters && signatureForm.test(signature)
  );
}
