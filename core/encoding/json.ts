/**
 * How deep lists and objects may be nested. Serializing or searching anything deeper by recursion would overflow the
 * stack.
 */
const maxDepth = 500;

/**
 * Parses untrusted JSON text; returns undefined if it is invalid, or if lists and objects are nested more than 500
 * deep. Never throws. Keys such as `__proto__` become own properties.
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a reply in which PHP notices, cache comments or similar may surround the JSON: the whole text, or the object
 * inside it. JSON that was encoded twice is decoded twice. An HTML page is never JSON, whatever its scripts contain.
 */
export function parseAfterNotice(text: string): unknown {
  const whole = parseJson(text);
  if (typeof whole === 'string') return parseJson(whole) ?? whole;
  if (whole !== undefined) return whole;
  const from = text.search(/\{\s*"/);
  return /<html|<script/i.test(text.slice(0, from))
    ? undefined
    : parseJson(text.slice(from, text.lastIndexOf('}') + 1));
}

/** Removes the byte order mark that some editors write; it is not valid JSON. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [part] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]/gsu)) {
    depth += '[{'.includes(part) ? 1 : ']}'.includes(part) ? -1 : 0;
    if (depth > maxDepth) return true;
  }
  return false;
}
