import {
  base64UrlOfBase64,
  type Bytes,
  canonicalJson,
  decodeBase64Url,
  isJsonObject,
  type JsonObject,
  type JsonOddity,
  parseStrictJson,
  textOfUtf8,
  utf8,
} from '#core/encoding/index';
import { type Encoding, type SigningInput, teamSettingsPrefix } from '#core/keys/index';
import { fail, type Result, succeed, omitUndefined } from '#core/result';

/** The parts of a signed document that is not yet verified. */
export interface Envelope {
  readonly encoding: Encoding;
  readonly payload: Payload;
  /** 64 bytes. */
  readonly signature: Bytes;
  /** The key id in a JWS header. It is only a hint which key to try. */
  readonly keyId?: string;
  /** The candidates for the signed bytes. In a genuine document the signature is valid over exactly one. */
  readonly inputs: readonly { readonly input: SigningInput; readonly message: Bytes }[];
}

export interface Payload {
  readonly bytes: Bytes;
  /** Present if the bytes are UTF-8. */
  readonly text?: string;
  /** Present if the text is a JSON object. */
  readonly object?: JsonObject;
  readonly oddities: readonly JsonOddity[];
  /** Set if the payload is itself the signing input of another document: see `wrappingOf`. */
  readonly wraps?: Wrapping;
}

export type Wrapping = 'segment' | 'jws' | 'envelope' | 'team-settings';

export type EnvelopeFault =
  /** It has none of the four encodings. */
  | { readonly kind: 'not-an-envelope' }
  /** Not unpadded, canonical base64url. */
  | { readonly kind: 'bad-base64url'; readonly part: 'header' | 'payload' | 'signature' }
  | { readonly kind: 'signature-length'; readonly bytes: number }
  | { readonly kind: 'jws-header'; readonly because: 'unreadable' | 'algorithm' | 'crit' | 'b64' }
  /** JSON without a unique RFC 8785 form. */
  | { readonly kind: 'ambiguous-json'; readonly oddities: readonly JsonOddity[] }
  /** A payload that is itself another signing input or envelope: a document of one kind disguised as another. */
  | { readonly kind: 'wrapped'; readonly wraps: Wrapping };

type Opened = Result<Envelope, EnvelopeFault>;

/** Opens `<payload>.<signature>` or a compact JWS, without spaces. */
export function openCompact(text: string): Opened {
  const parts = text.split('.');
  if (parts.length === 2) return openToken(parts[0] ?? '', parts[1] ?? '');
  if (parts.length === 3) return openJws(parts[0] ?? '', parts[1] ?? '', parts[2] ?? '');
  return fail({ kind: 'not-an-envelope' });
}

/**
 * Opens a JSON object with a `signature` member.
 * @param oddities the oddities of the text that the object was read from
 */
export function openSignedObject(object: JsonObject, oddities: readonly JsonOddity[]): Opened {
  const { signature: signatureText, payload } = object;
  if (typeof signatureText !== 'string') return fail({ kind: 'not-an-envelope' });
  const signature = readSignature(base64UrlOfBase64(signatureText));
  if (!signature.ok) return signature;
  const isText = typeof payload === 'string';
  if (isText && !payload.trimStart().startsWith('{')) {
    return openPairSegment(base64UrlOfBase64(payload), signature.value);
  }
  if (isText) {
    const bytes = utf8(payload);
    return envelope('pair', bytes, signature.value, [{ input: 'payload', message: bytes }]);
  }
  if (oddities.length > 0) return fail({ kind: 'ambiguous-json', oddities });
  const isPair = isJsonObject(payload);
  const signed = isPair
    ? payload
    : Object.fromEntries(Object.entries(object).filter(([name]) => name !== 'signature'));
  const bytes = utf8(canonicalJson(signed));
  const inputs = [{ input: 'canonical', message: bytes }] as const;
  return envelope(isPair ? 'pair' : 'member', bytes, signature.value, inputs);
}

function openToken(payloadSegment: string, signatureSegment: string): Opened {
  const signature = readSignature(signatureSegment);
  if (!signature.ok) return signature;
  return openSegment('token', payloadSegment, signature.value);
}

function openPairSegment(segment: string, signature: Bytes): Opened {
  return openSegment('pair', segment, signature);
}

function openSegment(encoding: Encoding, segment: string, signature: Bytes): Opened {
  const bytes = segment === '' ? undefined : decodeBase64Url(segment);
  if (bytes === undefined) return fail({ kind: 'bad-base64url', part: 'payload' });
  return envelope(encoding, bytes, signature, [
    { input: 'payload', message: bytes },
    // Computed on demand, since the payload's own bytes are tried first and are nearly always what was signed.
    {
      input: 'segment',
      get message() {
        return utf8(segment);
      },
    },
  ]);
}

/** Opens a JWS by RFC 7515 section 5.2, only for EdDSA. The header is used only for how the document is signed. */
function openJws(header: string, payload: string, signatureSegment: string): Opened {
  const read = readHeader(header);
  if (!read.ok) return read;
  const signature = readSignature(signatureSegment);
  if (!signature.ok) return signature;
  const bytes = payload === '' ? undefined : decodeBase64Url(payload);
  if (bytes === undefined) return fail({ kind: 'bad-base64url', part: 'payload' });
  const opened = envelope('jws', bytes, signature.value, [
    { input: 'jws', message: utf8(`${header}.${payload}`) },
  ]);
  return opened.ok ? succeed({ ...opened.value, ...read.value }) : opened;
}

function readHeader(header: string): Result<{ readonly keyId?: string }, EnvelopeFault> {
  const bytes = decodeBase64Url(header);
  if (bytes === undefined) return fail({ kind: 'bad-base64url', part: 'header' });
  const refused = (because: 'unreadable' | 'algorithm' | 'crit' | 'b64') =>
    fail({ kind: 'jws-header', because });
  const { object, oddities } = readPayload(bytes);
  if (object === undefined || oddities.length > 0) return refused('unreadable');
  if ('crit' in object) return refused('crit');
  if ('b64' in object) return refused('b64');
  const { alg, kid } = object;
  if (alg !== 'EdDSA') return refused('algorithm');
  return succeed(typeof kid === 'string' && kid !== '' ? { keyId: kid } : {});
}

function readSignature(segment: string): Result<Bytes, EnvelopeFault> {
  const bytes = decodeBase64Url(segment);
  if (bytes === undefined) return fail({ kind: 'bad-base64url', part: 'signature' });
  return bytes.length === 64
    ? succeed(bytes)
    : fail({ kind: 'signature-length', bytes: bytes.length });
}

function envelope(
  encoding: Encoding,
  bytes: Bytes,
  signature: Bytes,
  inputs: Envelope['inputs'],
): Opened {
  const payload = readPayload(bytes);
  return payload.wraps === undefined
    ? succeed({ encoding, payload, signature, inputs })
    : fail({ kind: 'wrapped', wraps: payload.wraps });
}

function readPayload(bytes: Bytes): Payload {
  const text = textOfUtf8(bytes);
  if (text === undefined) return { bytes, oddities: [] };
  // Some programs write UTF-8 with a byte order mark. Without this, a certificate would be taken for a license that is
  // not JSON.
  const content = text.replace(/^\uFEFF/, '');
  const parsed = parseStrictJson(content);
  const object = parsed.ok && isJsonObject(parsed.value.value) ? parsed.value.value : undefined;
  const wraps = object === undefined ? wrappingOfText(content) : wrappingOfObject(object);
  return omitUndefined({
    bytes,
    text,
    oddities: parsed.ok ? parsed.value.oddities : [],
    object,
    wraps,
  });
}

/**
 * Signing inputs are texts themselves. With a document signed over such a text, anyone could present the text as a
 * payload, and the same signature would be valid over it. So no payload may be a signing input.
 */
function wrappingOfText(text: string): Wrapping | undefined {
  if (text.startsWith(teamSettingsPrefix)) return 'team-settings';
  const parts = text.split('.');
  const segments = parts.every((part) => part !== '' && decodeBase64Url(part) !== undefined);
  if (!segments) return undefined;
  if (parts.length === 1) return 'segment';
  return parts.length <= 3 ? 'jws' : undefined;
}

function wrappingOfObject(object: JsonObject): Wrapping | undefined {
  const signed = ['signature', 'signatures'].some((name) => name in object);
  return signed ? 'envelope' : undefined;
}
