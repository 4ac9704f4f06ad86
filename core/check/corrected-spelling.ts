/**
 * Suggests the most likely spelling of a code that was not found. 32 hexadecimal digits become lower case in groups of
 * 8-4-4-4-12, with 0 for each O; a code of another form without capitals becomes capitals.
 * @returns undefined when the code is spelled so already, or no other spelling is likelier
 *
 * @example correctedSpelling('8678C3CD2A214AFAB5D1OF1B4E2D9C7O') // '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9c70'
 */
export function correctedSpelling(code: string): string | undefined {
  const digits = code.trim().toLowerCase().replaceAll('-', '').replaceAll('o', '0');
  const groups = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    digits,
  );
  const likely = groups === null ? inCapitals(code.trim()) : groups.slice(1).join('-');
  return likely === code ? undefined : likely;
}

/** Writes a code in capitals. Mixed case may be the code's own and is left alone. */
function inCapitals(code: string): string {
  return /[A-Z]/.test(code) ? code : code.toUpperCase();
}
