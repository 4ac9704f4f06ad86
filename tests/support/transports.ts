import { encodeHTML, encodeXML, escapeUTF8 } from 'entities';
import MarkdownIt from 'markdown-it';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import { encode as encodeQuotedPrintable, wrap } from 'nodemailer/lib/qp';
import TurndownService from 'turndown';

/** One thing that a text goes through on its way to an agent, done by whoever else does it. */
export interface Transport {
  readonly name: string;
  /** How many times what it leaves must be undone: a link that wraps a link twice. */
  readonly depth?: number;
  readonly send: (text: string) => string;
}

const markdown = new MarkdownIt();
const turndown = new TurndownService();
const lines = (text: string): string[] => text.split(/\r?\n/);
const paragraph = (escaped: string): string => `<div>${lines(escaped).join('<br>\n')}</div>`;
/** Breaks lines as "format=flowed" does: a space stays at the end of each. */
const fold = (text: string, length: number): string =>
  lines(text)
    .map((line) => (line.length > length ? foldLines(line, length, true) : line))
    .join('\r\n');
/**
 * Markdown drops a space at the beginning of a line and takes the end of a tag there for a mark of a reply: where
 * quoted-printable broke the line in front of one, nobody could tell the words or the tag again.
 */
const keepingStarts = (text: string): string =>
  text.replaceAll('\n ', '\n\u00A0').replaceAll(/=\r?\n(?=>[^\s>])/g, '');
const shop = (text: string): string =>
  `https://desk.shop.example/new?${new URLSearchParams({ q: text }).toString()}`;

/** Breaks what stands in the text of a page, but nothing inside of its tags and references. */
function broken(text: string, sign: string): string {
  return paragraph(escapeUTF8(text).replaceAll(/-|[\w-]{30}/g, `$&${sign}`));
}

/** Writes Telegram's MarkdownV2: a backslash before each of its signs. */
function telegram(text: string): string {
  return text.replaceAll(/[_*[\]()~`>#+=|{}.!\\-]/g, String.raw`\$&`);
}

/** Writes a link as Proofpoint's URL Defense 2 does: `-` for the percent sign, `_` for a slash. */
function urlDefense(text: string): string {
  const link = encodeURIComponent(shop(text)).replaceAll('-', '%2D').replaceAll('_', '%5F');
  const written = link.replaceAll('%2F', '_').replaceAll('%', '-');
  return `https://urldefense.proofpoint.com/v2/url?u=${written}&d=DwMFaQ&c=x`;
}

/** Writes JSON as programs do that escape all but letters, digits and spaces: PHP, Go, Python. */
function jsonOf(value: unknown, escaped: RegExp): string {
  return JSON.stringify(value).replaceAll(
    escaped,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Holds every transport; each takes any text. */
export const transports: readonly Transport[] = [
  { name: 'quoted-printable', send: (text) => wrap(encodeQuotedPrintable(text)) },
  {
    name: 'quoted-printable, Latin-1',
    send: (text) => {
      const spaced = text.replaceAll(' ', '\u00A0');
      const bytes = Buffer.from(spaced, 'latin1');
      const fits = bytes.toString('latin1') === spaced;
      return wrap(encodeQuotedPrintable(fits ? bytes : text));
    },
  },
  { name: 'percent', send: encodeURIComponent },
  { name: 'query', send: shop },
  {
    name: 'mailto',
    send: (text) => `mailto:help@shop.example?subject=Help&body=${encodeURIComponent(text)}`,
  },
  { name: 'wa.me', send: (text) => `https://wa.me/15550100?text=${encodeURIComponent(text)}` },
  {
    name: 'SafeLinks',
    depth: 2,
    send: (text) =>
      `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(shop(text))}&data=05%7C02&reserved=0`,
  },
  {
    name: 'redirect',
    depth: 2,
    send: (text) =>
      `https://www.google.com/url?q=${encodeURIComponent(shop(text))}&sa=D&ust=1790000000000000`,
  },
  { name: 'URL Defense', depth: 2, send: urlDefense },
  { name: 'HTML', send: (text) => paragraph(escapeUTF8(text)) },
  { name: 'HTML, named references', send: (text) => paragraph(encodeHTML(text)) },
  { name: 'HTML, numeric references', send: (text) => paragraph(encodeXML(text)) },
  {
    name: 'HTML, every sign a reference',
    send: (text) =>
      `<p>${Array.from(text)
        .map((sign) => `&#${String(sign.codePointAt(0))};`)
        .join('')}</p>`,
  },
  { name: 'HTML, <wbr>', send: (text) => broken(text, '<wbr>') },
  { name: 'HTML, soft hyphens', send: (text) => broken(text, '&shy;') },
  { name: 'JSON', send: (text) => JSON.stringify({ id: 7, message: text }) },
  { name: 'JSON of Go', send: (text) => jsonOf({ body: text }, /[<>&=+'/\u0080-\uFFFF]/g) },
  {
    name: 'JSON of PHP',
    send: (text) => jsonOf({ body: text }, /[\u0080-\uFFFF]/g).replaceAll('/', String.raw`\/`),
  },
  { name: 'a string of a program', send: (text) => JSON.stringify(text).slice(1, -1) },
  {
    name: 'strings of a program, added',
    depth: 2,
    send: (text) => {
      const parts = text.match(/[^]{1,60}(?<=[\s-])|[\w.-]{1,60}|[^\w.-][\w.-]{0,59}/gu) ?? [];
      return `var text = ${parts.map((part) => JSON.stringify(part)).join(' +\n  ')};`;
    },
  },
  {
    name: 'JSON in JSON',
    depth: 2,
    send: (text) => JSON.stringify({ log: JSON.stringify({ message: text }) }),
  },
  {
    name: 'Markdown',
    send: (text) => turndown.turndown(paragraph(escapeUTF8(keepingStarts(text)))),
  },
  { name: 'Markdown, rendered', send: (text) => markdown.render(keepingStarts(text)) },
  { name: 'MarkdownV2', send: telegram },
  {
    name: 'a reply',
    send: (text) =>
      lines(text)
        .map((line) => `> ${line}`)
        .join('\n'),
  },
  {
    name: 'a reply to a reply',
    send: (text) =>
      lines(text)
        .map((line) => `>> ${line}`)
        .join('\r\n'),
  },
  { name: 'soft line breaks', send: (text) => fold(text, 76) },
  {
    name: 'a reply, folded',
    send: (text) =>
      lines(fold(text, 72))
        .map((line) => `> ${line}`)
        .join('\r\n'),
  },
];

/** What programs make of a code's own signs. */
export const spellings: readonly Transport[] = [
  { name: 'hyphens that do not break', send: (code) => code.replaceAll('-', '\u2011') },
  { name: 'en dashes', send: (code) => code.replaceAll('-', '\u2013') },
  { name: 'minus signs', send: (code) => code.replaceAll('-', '\u2212') },
  {
    name: 'full width',
    send: (code) =>
      code.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  },
  { name: 'zero-width spaces', send: (code) => code.replaceAll('-', '-\u200B') },
  { name: 'word joiners', send: (code) => code.replaceAll('-', '\u2060-\u2060') },
  { name: 'soft hyphens', send: (code) => code.replaceAll('-', '-\u00AD') },
  { name: 'marks of direction', send: (code) => `\u2066${code}\u2069` },
  { name: 'a byte order mark', send: (code) => `\uFEFF${code}` },
];
