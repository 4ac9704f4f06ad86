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

/** Parses a reply that may begin with a PHP notice: the whole of it, or from its first brace on. */
export function parseAfterNotice(text: string): unknown {
  const whole = parseJson(text);
  if (whole !== undefined) return whole;
  const brace = text.indexOf('{');
  return brace > 0 ? parseJson(text.slice(brace)) : undefined;
}

/** Takes off the mark that some editors write before the first character of a file; JSON does not know it. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}

function isTooDeep(text: string): boolean {
  // Text this short cannot open and close as many.
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (const [part] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[[{]|[\]}]/gsu)) {
    if (part === '[' || part === '{') depth += 1;
    else if (part === ']' || part === '}') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}
