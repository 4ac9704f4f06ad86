/**
 * How deep lists and objects may be nested; writing back or searching anything deeper by recursion would overflow the
 * stack.
 */
const maxDepth = 500;

/**
 * Parses untrusted JSON text; returns undefined when it is invalid, or lists and objects lie in one another more than
 * 500 deep. Never throws. Keys such as `__proto__` become own properties.
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
 * Parses a reply that may stand between notices of PHP, remarks of a cache and the like: the whole of it, or the object
 * in it. JSON that was encoded twice is decoded twice. A page is none, whatever its scripts hold.
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

/** Takes off the mark that some editors write before the first character of a file; JSON does not know it. */
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
