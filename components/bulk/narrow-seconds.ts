/**
 * Returns a formatter of seconds for a line that several names share: 30s. A longer unit in Latin letters becomes “s”.
 */
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
