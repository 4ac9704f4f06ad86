/** Returns what counts seconds where several names share a line: 30s. A longer sign of Latin letters gives way to “s”. */
export function narrowSecondsIn(locale: string): (seconds: number) => string {
  const format = new Intl.NumberFormat(locale, {
    numberingSystem: 'latn',
    style: 'unit',
    unit: 'second',
    unitDisplay: 'narrow',
  });
  return (seconds) =>
    format
      .formatToParts(seconds)
      .map(({ type, value }) =>
        type === 'unit' && /^\p{Script=Latin}.{2}/u.test(value) ? 's' : value,
      )
      .join('');
}
