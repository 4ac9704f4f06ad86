const base = 36;
const tMin = 1;
const tMax = 26;
const highestCodePoint = 0x10ffff;

/**
 * Decodes the `xn--` labels of a host name (RFC 3492). A label that cannot be decoded stays unchanged. If the two
 * spellings differ, show both: the result may contain look-alike letters.
 * @param host in ASCII, as URL parsing returns it; a port may follow
 */
export function toUnicodeHost(host: string): string {
  return host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decode(label.slice(4)) ?? label) : label))
    .join('.');
}

function decode(label: string): string | undefined {
  const [, encoded = '', port = ''] = /^([a-z0-9-]*)(:\d+)?$/.exec(label) ?? [];
  const delimiter = encoded.lastIndexOf('-');
  const output = Array.from(encoded.slice(0, Math.max(delimiter, 0)));
  let codePoint = 128;
  let index = 0;
  let bias = 72;
  let position = delimiter + 1;
  if (position >= encoded.length) return undefined;

  while (position < encoded.length) {
    const before = index;
    let weight = 1;
    for (let k = base; ; k += base) {
      const digit = digitOf(encoded.charCodeAt(position));
      if (digit === undefined) return undefined;
      position += 1;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, tMin), tMax);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = output.length + 1;
    bias = adapt(index - before, length, before === 0);
    codePoint += Math.floor(index / length);
    index %= length;
    if (codePoint > highestCodePoint) return undefined;
    output.splice(index, 0, String.fromCodePoint(codePoint));
    index += 1;
  }
  return output.join('') + port;
}

function digitOf(unit: number): number | undefined {
  if (unit >= 97 && unit <= 122) return unit - 97;
  if (unit >= 48 && unit <= 57) return unit - 48 + 26;
  return undefined;
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  while (rest > ((base - tMin) * tMax) / 2) {
    rest = Math.floor(rest / (base - tMin));
    k += base;
  }
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + 38));
}
