const timestamp =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?))?)?$/i;

/**
 * Parses an ISO 8601 timestamp to epoch milliseconds; finer digits are dropped. Without an offset it is UTC (spec
 * section 2).
 * @param least what the text must contain; a day without a time means its first instant
 * @returns undefined if the day does not exist
 */
export function parseTimestamp(text: string, least: 'time' | 'day' = 'time'): number | undefined {
  const match = timestamp.exec(text.trim());
  if (match === null || (least === 'time' && match[4] === undefined)) return undefined;
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  const [fraction = '', offset = 'Z'] = match.slice(7);
  if (h > 23 || mi > 59 || s > 59) return undefined;
  const calendar = new Date(0);
  calendar.setUTCFullYear(y, mo - 1, d);
  if (calendar.getUTCMonth() !== mo - 1 || calendar.getUTCDate() !== d) return undefined;
  const shift = parseOffset(offset);
  if (shift === undefined) return undefined;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  return calendar.getTime() + ((h * 60 + mi) * 60 + s) * 1000 + milliseconds - shift;
}

function parseOffset(offset: string): number | undefined {
  const [hours = 0, minutes = 0] = (offset.match(/\d{1,2}/g) ?? []).map(Number);
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
