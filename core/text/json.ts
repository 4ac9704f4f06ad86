/** How deep lists and objects may lie in one another; what is written back or searched by recursion would end the stack. */
const maxDepth = 500;

/**
 * Parses untrusted JSON text; returns undefined when it is invalid, or lists and objects lie in one another more than 500 deep. Never
 * throws. Keys such as `__proto__` become own properties.
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Takes off the mark that some editors write before the first character of a file; JSON does not know it. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}

function isTooDeep(text: string): boolean {
  // Text this short cannot open and close as many.
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > maxDepth) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
        break;
    }
  }
  return false;
}

/** Returns the index of the quotation mark that ends a string, or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}
