import fc from 'fast-check';
import { stringify } from 'yaml';

/** A file of settings, a form or a row of a table with a code in it. */
export interface SettingsFile {
  readonly format: string;
  readonly code: string;
  readonly text: string;
}

type Entry = readonly [name: string, value: string];

const of = (characters: string, length: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.constantFrom(...characters.split('')),
    minLength: length,
    maxLength: length,
  });
const groups = (characters: string, ...lengths: readonly number[]): fc.Arbitrary<string> =>
  fc.tuple(...lengths.map((length) => of(characters, length))).map((texts) => texts.join('-'));
const hex = '0123456789abcdef';
const capitals = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/**
 * Many of these begin with two digits that `=` in front of them makes an escape. Nobody can tell what `=3D` is, nor whether
 * hexadecimal digits are the beginning of a longer key.
 */
const codes = fc
  .oneof(
    groups(hex, 8, 4, 4, 4, 12),
    groups(hex.toUpperCase(), 8, 8, 8, 8),
    groups(hex.toUpperCase(), 8, 4, 4, 4, 12),
    groups(capitals, 4, 4, 4, 4),
    groups(capitals, 2, 6, 8),
    groups(capitals.toLowerCase(), 8, 6),
    of(capitals, 24),
    of(hex, 32),
  )
  .filter((code) => /^(?!3D|[\da-f]{8}-[\da-f]{6}$)(?=.*[a-z]).*\d/i.test(code));

const setting: fc.Arbitrary<Entry> = fc.tuple(
  fc.constantFrom('email', 'URL', 'price', 'name', 'debug', 'DB_PASSWORD', 'instance_id', 'date'),
  fc.constantFrom(
    '',
    'a@shop.example',
    'https://shop.example/a?b=c&d=%20e',
    '1500',
    '20',
    'A0',
    '2026-05-01T10:00:00Z',
    'Tom & Ann',
    '50% off',
    '<b>new</b>',
    'Jörg',
    'x==',
    '100%',
    '=',
    'a+b',
    '#1',
    '~',
    '"so"',
    '&amp;',
    '{}',
    'a\\b',
    'C:\\Orbit\\new',
  ),
);

const idOfOthers: fc.Arbitrary<Entry> = fc.tuple(
  fc.constantFrom(
    'machine_id',
    'sessionId',
    'request_uuid',
    'user_id',
    'product_id',
    'cart',
    'batch',
    'theme',
    'workspace',
    'ordem',
  ),
  groups(hex, 8, 4, 4, 4, 12),
);

const lines =
  (line: (name: string, value: string) => string, end = '\n') =>
  (entries: readonly Entry[]): string =>
    entries.map(([name, value]) => line(name, value)).join(end);
const row = (cells: readonly string[], separator: string): string =>
  cells.map((cell) => (/[",;\t]/.test(cell) ? JSON.stringify(cell) : cell)).join(separator);
const table =
  (separator: string, ruled = '') =>
  (entries: readonly Entry[]): string =>
    [
      row(
        entries.map(([name]) => name),
        separator,
      ),
      ...(ruled === '' ? [] : [entries.map(() => ruled).join(separator)]),
      row(
        entries.map(([, value]) => value),
        separator,
      ),
    ].join('\n');

const markup = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const formats: Readonly<Record<string, (entries: readonly Entry[]) => string>> = {
  settings: lines((name, value) => `${name}=${value}`),
  'quoted settings': lines((name, value) => `${name}="${value.replaceAll('"', '')}"`),
  'a shell': lines((name, value) => `export ${name}=${value}`),
  'an INI file': lines((name, value) => `${name} = ${value}`, '\r\n'),
  'a form': (entries) => new URLSearchParams(entries.map(([...pair]) => pair)).toString(),
  'a form as it is': lines((name, value) => `${name}=${value}`, '&'),
  'a log': lines((name, value) => `${name}=${value}`, ' '),
  'a command': lines((name, value) => `--${name}=${value}`, ' '),
  'fields of curl': lines((name, value) => `-d "${name}=${value.replaceAll('"', '')}"`, ' '),
  'a registry file': lines((name, value) => `"${name}"=${JSON.stringify(value)}`, '\r\n'),
  'headers of a request': lines((name, value) => `X-${name}: ${value}`, '\r\n'),
  'a reply to lines': lines((name, value) => `> ${name}: ${value}`),
  columns: lines((name, value) => `${name.padEnd(24)}${value}`),
  'two columns of a spreadsheet': lines((name, value) => `${name}\t${value}`),
  'a row of dots': lines((name, value) => `${name} ${'.'.repeat(24 - name.length)} ${value}`),
  'an array of PHP': lines((name, value) => `  '${name}' => '${value}',`),
  'variables of PHP': lines((name, value) => `$${name} = "${value}";`),
  'serialized PHP': lines(
    (name, value) =>
      `s:${String(name.length)}:"${name}";s:${String(Buffer.byteLength(value))}:"${value}";`,
    '',
  ),
  'another dump of PHP': lines(
    (name, value) => `  ["${name}"]=>\n  string(${String(Buffer.byteLength(value))}) "${value}"`,
  ),
  JavaScript: lines((name, value) => `  ${name}: '${value}',`),
  'JavaScript in one line': (entries) =>
    `{ ${entries.map(([name, value]) => `${name}: "${value}"`).join(', ')} }`,
  PHP: lines((name, value) => `define('${name}', '${value}');`),
  'a dump of PHP': lines((name, value) => `    [${name}] => ${value}`),
  YAML: (entries) => stringify(Object.fromEntries(entries)),
  JSON: (entries) => JSON.stringify(Object.fromEntries(entries)),
  'JSON with a line each': (entries) => JSON.stringify(Object.fromEntries(entries), undefined, 2),
  'JSON in JSON': (entries) => JSON.stringify(JSON.stringify(Object.fromEntries(entries))),
  XML: lines((name, value) => `<${name}>${value.replaceAll(/[<&]/g, '-')}</${name}>`, ''),
  'attributes of XML': (entries) =>
    `<license ${lines((name, value) => `${name}="${markup(value)}"`, ' ')(entries)} />`,
  'properties of XML': lines((name, value) => `<entry key="${name}">${markup(value)}</entry>`),
  'a property list': lines(
    (name, value) => `\t<key>${name}</key>\n\t<string>${markup(value)}</string>`,
  ),
  'a table of HTML': lines(
    (name, value) => `<tr><th>${name}</th><td>${markup(value)}</td></tr>`,
    '',
  ),
  'a list of HTML': lines((name, value) => `<dt>${name}</dt><dd>${markup(value)}</dd>`, ''),
  'bullets of HTML': lines((name, value) => `<li><b>${name}:</b> ${markup(value)}</li>`),
  CSV: table(','),
  semicolons: table(';'),
  'a spreadsheet': table('\t'),
  Markdown: (entries) =>
    table(' | ', '---')(entries).replaceAll(/^/gm, '| ').replaceAll(/$/gm, ' |'),
};

/** Settings with one code among them, as programs write them. */
export const settingsWithCode: fc.Arbitrary<SettingsFile> = fc
  .tuple(
    fc.constantFrom(...Object.keys(formats)),
    fc.constantFrom('license_key', 'PURCHASE_CODE', 'licenseKey', 'SHOP_LICENSE_KEY'),
    codes,
    fc.uniqueArray(fc.oneof(setting, idOfOthers), { maxLength: 4, selector: ([name]) => name }),
    fc.nat(4),
  )
  .map(([format, name, code, others, at]) => ({
    format,
    code,
    text: formats[format]?.([...others.slice(0, at), [name, code], ...others.slice(at)]) ?? '',
  }));
