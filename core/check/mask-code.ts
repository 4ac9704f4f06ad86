/**
 * Masks a code so that it can be recognised but not used. Keeps dashes and the first and last four letters or digits; of a short
 * code fewer, never more than two in five.
 */
export function maskCode(code: string): string {
  const signs = code.split('');
  const total = signs.filter((sign) => sign !== '-').length;
  const kept = Math.min(4, Math.floor(total / 5));
  let seen = 0;
  return signs
    .map((sign) => {
      if (sign === '-') return sign;
      seen += 1;
      return seen <= kept || seen > total - kept ? sign : '•';
    })
    .join('');
}
