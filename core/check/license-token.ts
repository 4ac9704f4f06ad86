/**
 * Whether a text holds a license or a certificate rather than a purchase code: a token of two base64url segments, a JWS, an armoured
 * block, or JSON with such a field. It looks at the form alone; what it means is the verifier's to say.
 */
export function holdsLicense(text: string): boolean {
  return isWhollyLicense(text) || hasArmour(text) || hasToken(text);
}

/** Whether nothing but a license is in the text, so that ids inside it are not taken for purchase codes. */
export function isWhollyLicense(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') && trimmed.endsWith('}')) {
    return /"(?:license|activation_certificate|signature)"\s{0,8}:/.test(trimmed);
  }
  const lines = trimmed.split(/\s+/);
  // Mail breaks a token into lines; prose has no words this long.
  return lines.some((line) => line.length >= minBrokenLineLetters) && isToken(lines.join(''));
}

const minBrokenLineLetters = 40;
const minPayloadLetters = 16;
/** An Ed25519 signature takes 86 characters; a mangled one may have lost some. */
const minSignatureLetters = 60;

function hasArmour(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]{0,40}(?:LICEN[CS]E|CERTIFICATE|ACTIVATION)/.test(text);
}

function hasToken(text: string): boolean {
  for (const [word] of text.matchAll(/[\w.=-]+/g)) {
    if (word.length > minPayloadLetters + minSignatureLetters && isToken(word)) return true;
  }
  return false;
}

function isToken(word: string): boolean {
  if (!/^[\w.=-]+$/.test(word)) return false;
  const segments = word.split('.').filter((segment) => segment !== '');
  const [payload = '', signature = ''] = segments.slice(-2);
  return (
    segments.length <= 3 &&
    payload.length >= minPayloadLetters &&
    signature.length >= minSignatureLetters
  );
}
