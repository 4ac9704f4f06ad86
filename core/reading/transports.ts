import { symbolOf, undoHtml } from '#core/reading/html';
import type { TransportId, Undoing } from '#core/reading/reading';

/** An encoding that a text may have gone through, and how to undo it once. */
export interface Transport {
  readonly id: TransportId;
  /**
   * A cheap test whether a text may have it. The pattern begins with a rare character, so that it visits each character
   * once.
   */
  readonly mark: RegExp;
  /** Replaces the encoded text by the original. Linear in the text. */
  readonly undo: (undoing: Undoing, text: string) => void;
}

/** Returns a transport that is undone by removing the matches of a pattern. */
function removalOf(id: TransportId, mark: RegExp, pattern: RegExp): Transport {
  return {
    id,
    mark,
    undo(undoing) {
      undoing.replaceEach(pattern, () => '');
    },
  };
}

/**
 * Parts of a mail in base64 (RFC 2045 section 6.8), including attached files, and encoded words in its headers (RFC
 * 2047). Parts that are not text stay.
 */
const mailParts: Transport = {
  id: 'mail-parts',
  mark: /=\?|base64/i,
  undo(undoing, text) {
    const parts =
      /=\?[\w-]{1,40}\?([bq])\?([^?\s]{0,998})\?=(?:\s{1,8}(?==\?))?|^(content-transfer-encoding:[ \t]{0,8}base64[ \t]*\r?\n(?:[^\r\n]{1,998}\r?\n){0,20}\r?\n)((?:[A-Za-z\d+/]+={0,2}[ \t]*(?:[\r\n]+|$))+)(?=-|$(?![^]))/gim;
    for (const {
      0: whole,
      1: kind,
      2: word,
      3: head = '',
      4: body = word ?? '',
      index,
    } of text.matchAll(parts)) {
      const decoded = /q/i.test(kind ?? '')
        ? textOfOctets(body.replaceAll('_', ' ').replaceAll(/=([\dA-F]{2})/gi, octetOfDigits))
        : textOfBase64(body);
      if (decoded === '') continue;
      undoing.replace(
        index + head.length,
        index + whole.length,
        head === '' ? decoded : `${decoded}\n`,
      );
      // Any other encoding is inside its parts.
      undoing.outermost = true;
    }
  },
};

function octetOfDigits(_: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** Decodes base64 of text, in UTF-16 if it has that byte order mark; `''` if it is not text. */
function textOfBase64(text: string): string {
  const letters = text
    .replaceAll(/[\s=>|]/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  if (!/^[A-Za-z\d+/]*$/.test(letters) || letters.length % 4 === 1) return '';
  const octets = atob(letters);
  return octets.startsWith('\xFF\xFE')
    ? new TextDecoder('utf-16le').decode(bytesOf(octets))
    : textOfOctets(octets);
}

function bytesOf(octets: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(octets, (octet) => octet.charCodeAt(0));
}

const utf8 = /* @__PURE__ */ new TextDecoder();

/** Decodes octets, one per character, as UTF-8 or else as Latin-1; `''` if they are not text. */
function textOfOctets(octets: string): string {
  if (/^[\t\n\r -~]*$/.test(octets)) return octets;
  const decoded = utf8.decode(bytesOf(octets));
  const text = decoded.includes('\uFFFD') ? octets : decoded;
  return controls.test(text) ? '' : text;
}

const controls = /[^\P{Cc}\s\x80-\x9F]/u;

/** A line break made by HTML may have more than one character. */
const runsOfMail = /(?:=[\dA-F]{2}|=[ \t\xA0]{0,8}(?:\r\n|[\r\n]{1,3}))+/g;
const runsOfReply =
  /(?:=[\dA-F]{2}|=[ \t\xA0]{0,8}(?:\r\n|[\r\n]{1,3})(?:[ \t]{0,8}[>|]){0,9}(?:(?<=[>|])[ \t])?)+/g;

/** A settings line up to its `=`. */
const nameOfLine = /(?:^|\n)\W{0,8}(?:[a-z]{1,8} )?[\w.]{0,40}$/i;

/**
 * Mail in quoted-printable (RFC 2045 section 6.7): `=` and two upper-case hexadecimal digits are an octet, and `=` at
 * the end of a line continues it. But an octet right after a word may be the beginning of a value, as in `code=20A1…`,
 * and a line ending in `=` may be a name without a value or the end of base64. Neither proves the transport.
 */
const quotedPrintable: Transport = {
  id: 'quoted-printable',
  mark: /=[\dA-F\s]/,
  undo(undoing, text) {
    // Backslashes before its characters were added later, so they are undone first.
    if (/\\=[\dA-F]{2}/.test(text)) return;
    let isProven = false;
    // After a line break, `>` marks quoted text, unless it ends a tag.
    const runs = /^(?!>).*<\/?[a-z][^<>]{0,80}=\r?\n>/im.test(text) ? runsOfMail : runsOfReply;
    for (const { 0: run, index } of text.matchAll(runs)) {
      // Everything else in a run is a line break.
      const decoded = undoOctets(run, index, /=(?:([\dA-F]{2})|[^=]+)/g, undoing);
      const last = text.charAt(index - 1);
      const isText = /[\r\n]/.test(run)
        ? !nameOfLine.test(text.slice(Math.max(0, index - 50), index))
        : decoded !== '' &&
          (decoded.length * 3 < run.length ||
            (decoded.includes('=') && /[^\s&-]/.test(text.charAt(index + run.length))));
      isProven ||= last !== '=' && (!/[\w\])]/.test(last) || isText);
    }
    undoing.certain = isProven;
    undoing.outermost =
      /=[\dA-F]{2}|&#?\w{0,8}=\r?\n/.test(text) && /^.{59,74}[^\\]=\r?$/m.test(text);
  },
};

/**
 * Percent-encoding (RFC 3986 section 2.1), and `+` for a space in form data or the query of a link: SafeLinks,
 * `mailto:`, `wa.me` and other links that contain a text or a link. Also `-3A` and `_` of urldefense version 2, and
 * `*3A` of version 3.
 */
const links: Transport = {
  id: 'percent-encoding',
  mark: /[%+]|urldefense/,
  undo(undoing, text) {
    let isQuery = false;
    let defence = '';
    const marks =
      /(?<!\S)[\w.-]+=(?=[^\s=]{0,2000}&[\w.-]+=)|(?:%[\dA-Fa-f]{2})+|urldefense[^\s?]{0,80}(?:\?u=|\/v3\/__)|(?:[*-][\dA-F]{2})+|[\s<>"'?+&_]/g;
    for (const { 0: mark, index } of text.matchAll(marks)) {
      const first = mark.charAt(0);
      if (first === '%' || first === defence)
        undoOctets(mark, index, /[%*-]([\dA-Fa-f]{2})/g, undoing);
      else if (mark.startsWith('urldefense')) {
        // The rest must not look like a protected link again, so the mark is removed.
        undoing.replace(index, index + mark.length, '');
        isQuery = true;
        defence = mark.endsWith('=') ? '-' : '*';
      } else if (first === '?' || mark.endsWith('=')) isQuery = true;
      else if (first === '+') {
        if (isQuery) undoing.replace(index, index + 1, ' ');
      } else if (first === '_') {
        if (defence === '-') undoing.replace(index, index + 1, '/');
      } else if (!/[*-]/.test(first)) {
        defence = '';
        isQuery &&= first === '&';
      }
    }
  },
};

/** Links of urldefense version 3, where each `*` stands for one of the characters that follow the link in base64. */
const defendedLinks: Transport = {
  id: 'percent-encoding',
  mark: /urldefense[^\s/]{0,20}\/v3\/__/,
  undo(undoing, text) {
    const links =
      /https?:\/\/urldefense[^\s/]{0,20}\/v3\/__([^\s<>"]{1,4000}?)__;([\w-]*)!![^\s<>"]*/g;
    for (const { 0: whole, 1: link = '', 2: octets = '', index } of text.matchAll(links)) {
      const characters = textOfBase64(octets);
      const from = whole.indexOf(link) + index;
      undoing.replace(index, from, '');
      for (const [count, { index: at }] of [...link.matchAll(/\*/g)].entries())
        undoing.replace(from + at, from + at + 1, characters.charAt(count));
      undoing.replace(from + link.length, index + whole.length, '');
    }
  },
};

const letterEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * Strings of JSON (RFC 8259 section 7) and of program code, Markdown's backslashes, and a shell's line continuation.
 */
const backslashes: Transport = {
  id: 'backslashes',
  mark: /\\/,
  undo(undoing, text) {
    // A Windows path has no escapes.
    const escapes =
      /(?<![A-Za-z\d])[C-Z]:\\[A-Za-z]{2}[^\s"'<>|;,]*|\\(?:u\{([\dA-Fa-f]{1,6})\}|u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|([nrtbfv])|[ \t]{0,8}\r?\n|([^A-Za-z\d\s]))/g;
    // Only Markdown has a backslash before these. In a string, a mail's line may have ended after the backslash.
    const isCut = !/\\[=.!-]./.test(text);
    undoing.replaceEach(escapes, (found) => {
      const { 0: whole, 1: point, 2: unit, 3: octet, 4: letter, 5: character, index } = found;
      if (!whole.startsWith('\\')) return undefined;
      if (character === '=' && isCut && /^\r?\n[nrtu"/]/.test(text.slice(index + 2, index + 5)))
        return undefined;
      const digits = point ?? unit ?? octet;
      return digits === undefined
        ? (character ?? (letter === undefined ? '' : (letterEscapes[letter] ?? ' ')))
        : String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10_ff_ff));
    });
  },
};

/** The characters of RTF's symbols. */
const symbolsOfRtf: Readonly<Record<string, string>> = {
  '~': ' ',
  _: '-',
  '\\': '\\',
  '{': '{',
  '}': '}',
};

/** Rich Text Format (1.9.1), as word processors and mail programs copy it. */
const rtf: Transport = {
  id: 'backslashes',
  mark: /\{\\rtf|\\pard?\b/,
  undo(undoing) {
    undoing.outermost = true;
    const marks =
      /\\(?:'([\dA-Fa-f]{2})|u(-?\d{1,5}) ?\??|([a-z]{1,32})-?\d{0,10} ?|([^a-z]))|[{}]|\r?\n/g;
    undoing.replaceEach(marks, ([, octet, unit, word, character]) =>
      // Most control words only set formatting.
      unit === undefined && octet === undefined
        ? (symbolsOfRtf[character ?? ''] ?? (/par|line|row|tab|cell/.test(word ?? '') ? '\n' : ''))
        : String.fromCharCode(Number(unit ?? `0x${String(octet)}`)),
    );
  },
};

/**
 * A string of program code that continues in another one: `"…" + "…"`, `"…" . "…"`, `"…" & "…"`, or one string below
 * the other. The last form is not certain, since lists of quoted codes look the same.
 */
const joinedStrings: Transport = {
  id: 'joined-strings',
  mark: /["'`]\s{0,8}[\n+.&\\]/,
  undo(undoing, text) {
    undoing.certain = false;
    // A quotation mark after one backslash does not end a string.
    const joint =
      /(?<![^\\]\\)(["'`])[\s>|]{0,40}(?:[+.&](?: _)?|\\\s)?[\s>|]{0,40}[+.&`]?\s{0,8}\1/g;
    undoing.replaceEach(joint, ({ 0: whole, index }) => {
      // In CSV, one row may end with such a string and the next may begin with one; so may lines of names and values.
      const isRow = /["'`][=,;\t]["'`][^"'`\n]*$/.test(text.slice(Math.max(0, index - 99), index));
      const isAdded = /[+.&\\]/.test(whole);
      undoing.certain ||= isAdded;
      return isAdded || (!isRow && whole.includes('\n')) ? '' : undefined;
    });
  },
};

const markOfHtml = /[<&]/;

const html: Transport = {
  id: 'html',
  mark: markOfHtml,
  undo: undoHtml,
};

/** HTML of an encoder that wrote every character as a reference. */
const encodedHtml: Transport = {
  id: 'html',
  mark: markOfHtml,
  undo(undoing, text) {
    undoHtml(undoing, text, symbolOf);
  },
};

/** Terminal colours, perhaps without their first control character, which many programs drop. */
const colours = /* @__PURE__ */ removalOf(
  'invisible-characters',
  /\[\d*m/,
  /(?:[^\P{Cc}\s]|\^\[)?\[[\d;]{0,12}m/gu,
);

/** The characters of Windows-1252 from 0x80 on, where Latin-1 has control characters. */
const ofWindows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';
const misreadRuns = /* @__PURE__ */ new RegExp(
  `(?:[\\xC2-\\xF4][\\x80-\\xBF${ofWindows}]{1,3})+`,
  'g',
);

/** UTF-8 that a program read as Windows-1252: `clÃ©` for `clé`, `â€“` for a dash. */
const misreadText: Transport = {
  id: 'mail-parts',
  mark: /[\xC2-\xF4][^\s\w]/,
  undo(undoing) {
    undoing.replaceEach(misreadRuns, ([run]) => {
      const octets = run.replaceAll(/[^\x80-\xFF]/g, (character) =>
        String.fromCharCode(0x80 + ofWindows.indexOf(character)),
      );
      const by = textOfOctets(octets);
      return by === '' || by === octets ? undefined : by;
    });
  },
};

/** Forum tags (BBCode), if each is closed somewhere. */
const bbcode: Transport = {
  id: 'html',
  mark: /\[\/\w+\]/,
  undo(undoing, text) {
    const closed = new Set(text.match(/(?<=\[\/)\w+(?=\])/g));
    undoing.replaceEach(/\[\/?(\w+)(?:=[^\]\n]{0,99})?\]/g, ([, name = '']) =>
      closed.has(name) ? (/code|quote/.test(name) ? '\n' : '') : undefined,
    );
  },
};

/** Letters of other scripts that look like hexadecimal digits. */
const lettersSeen = 'аесԁАВСЕΑΒΕ';
const digitsMeant = 'aecdABCEABE';

/** A code typed on another keyboard: a letter of another script in a run of Latin letters and digits. */
const lookAlikes: Transport = {
  id: 'look-alikes',
  mark: /[аесԁАВСЕΑΒΕ]/,
  undo(undoing) {
    undoing.certain = false;
    const runs = /(?<![\p{L}\p{N}_])[\dA-Za-zаесԁАВСЕΑΒΕ-]{8,128}(?![\p{L}\p{N}_])/gu;
    undoing.replaceEach(runs, ([run]) => {
      const by = run.replaceAll(/[^\dA-Za-z-]/g, (letter) =>
        digitsMeant.charAt(lettersSeen.indexOf(letter)),
      );
      return by !== run && /[\dA-Za-z]/.test(run) ? by : undefined;
    });
  },
};

/**
 * A code in the common form with other characters or a word for its dashes, as text recognition and dictation write it,
 * perhaps with a space after each digit.
 */
const spelled = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?=[\\dA-F]( ?))${[8, 4, 4, 4, 12]
    .map((length) => `((?:[\\dA-F]\\1){${String(length - 1)}}[\\dA-F])`)
    .join('(?: ?(?:ー|[^\\s\\p{L}\\p{N}]{1,4}) ?| [\\p{L} ]{1,11}? )')}(?![\\p{L}\\p{N}_])`,
  'giu',
);

const spelledCodes: Transport = {
  id: 'look-alikes',
  // Digits, possibly spaced, on both sides of something that is not just a hyphen.
  mark: /(?:[\dA-F] ?){4}(?!-[\dA-F]{2})[\W_].{0,23}(?:[\dA-F] ?){4}/i,
  undo(undoing) {
    undoing.certain = false;
    undoing.replaceEach(spelled, ([run, , ...groups]) => {
      const by = groups.join('-').replaceAll(' ', '');
      return by !== run && /\d/.test(by) ? by : undefined;
    });
  },
};

/**
 * Groups of capitals and digits of equal length, with spaces or underscores for their dashes, or spaces around the
 * dashes. At least two groups have digits, unlike the name of a constant, and one has a letter that is not a
 * hexadecimal digit.
 */
const spelledGroups: Transport = {
  id: 'look-alikes',
  mark: /\d/,
  undo(undoing) {
    undoing.certain = false;
    const runs = /(?<![\w-])[A-Z\d]{4,6}(?:(?:_| ?[-–]? )[A-Z\d]{4,6}){2,9}(?![\w-]| [A-Z\d]{2})/g;
    undoing.replaceEach(runs, ([run]) => {
      const groups = run.split(/[^A-Z\d]+/);
      const isMeant =
        groups.every((group) => group.length === groups[0]?.length && /[A-Z]/.test(group)) &&
        groups.filter((group) => /\d/.test(group))[1] &&
        /[G-Z]/.test(run);
      return isMeant ? groups.join('-') : undefined;
    });
  },
};

/** A file in base64 without a header that says so: in the text of a mail, or in a data link. */
const bareBase64: Transport = {
  id: 'mail-parts',
  mark: /[A-Za-z\d+/]{40}/,
  undo(undoing, text) {
    const runs =
      /(?<![\w+/.=-])[A-Za-z\d+/]{40,}(?:[ \t]*\r?\n[ \t>|]*[A-Za-z\d+/]{40,})*([ \t]*\r?\n[ \t>|]*[A-Za-z\d+/]+)?={0,2}/g;
    for (const { 0: run, 1: last = '', index } of text.matchAll(runs)) {
      const end = index + run.length;
      if (/[\w+/.-]/.test(text.charAt(end))) continue;
      // The last, short line may be a word of the surrounding text.
      for (const length of [run.length, run.length - last.length]) {
        const decoded = textOfBase64(run.slice(0, length));
        if (decoded === '') continue;
        undoing.replace(index, index + length, decoded);
        break;
      }
    }
  },
};

/** Hyphens that a program added where it broke a token. Only the signature distinguishes them from the token's own. */
const hyphenation = /* @__PURE__ */ removalOf(
  'line-breaks',
  /[-\u2010][ \t]{0,8}\r?\n/,
  /(?<=[\w.-]{30})[-\u2010][ \t]{0,8}\r?\n[\s>|]{0,20}/g,
);

/** Invisible characters that allow a line break. Only the signature shows whether they belong to the text. */
const unseenBreaks = /* @__PURE__ */ removalOf(
  'invisible-characters',
  /[\u00AD\u200B]/,
  /[\u00AD\u200B]/g,
);

/**
 * Text around the lines of a token: an editor's line numbers, the marks of a diff, a name before a reply mark, message
 * numbers, and the frame of a table.
 */
const lineStarts = /* @__PURE__ */ removalOf(
  'line-breaks',
  /^(?:[ \t]{0,8}\d{1,4}[.:)|]?[ \t]{1,8}|\+|[A-Z][A-Za-z]{0,11}> ?|\(?\d{1,2}\/\d{0,2}\)? ?|\[?\d[\d/.:, APM-]{3,24}\]?[^\n\d:]{1,30}: )[\w.-]{20}|[|│](?<=[\w.-]{20}[ \t]{1,200}.)\s*$/m,
  /^(?:[ \t]{0,8}\d{1,4}[.:)|]?[ \t]{1,8}|\+|[A-Z][A-Za-z]{0,11}> ?|\(?\d{1,2}\/\d{0,2}\)? ?|│ |\[?\d[\d/.:, APM-]{3,24}\]?[^\n\d:]{1,30}: )(?=[\w.-])|(?<=[\w.-])[ \t]{1,200}[|│](?=\s*$)/gm,
);

/** A page number and a form feed between two lines of a token that was copied from a document. */
const pageNumbers = /* @__PURE__ */ removalOf(
  'line-breaks',
  /\n(?<=[\w.-]{30}[ \t]{0,8}\r?\n)[^\w]{0,20}(?:\p{L}{1,8}\.? )?\d/u,
  /(?<=[\w.-]{30}[ \t]{0,8}\r?\n)[^\p{L}\p{N}]{0,20}(?:\p{L}{1,8}\.? )?\d{1,4}(?: ?(?:\/|\p{L}{1,4}) ?\d{1,4})?[^\p{L}\p{N}]{0,20}(?<=[\r\n\f])(?=[\w.-]{20})/gu,
);

/**
 * The transports that a code on a page may have gone through. A code inside base64 has no position that a chip could
 * mark.
 */
export const transportsOfPages: readonly Transport[] = [
  quotedPrintable,
  links,
  backslashes,
  html,
  colours,
  lookAlikes,
  spelledCodes,
  spelledGroups,
];

/** To add a transport, add a record above, its id and its tests. */
const transports: readonly Transport[] = [
  rtf,
  bbcode,
  mailParts,
  quotedPrintable,
  links,
  backslashes,
  joinedStrings,
  encodedHtml,
  colours,
];

/** The transports that a pasted code may have gone through. */
export const transportsOfCodes: readonly Transport[] = /* @__PURE__ */ transports.concat([
  misreadText,
  lookAlikes,
  spelledCodes,
  spelledGroups,
]);

/** The transports that a license may have gone through. Nobody types one, so typing errors are not included. */
export const transportsOfLicenses: readonly Transport[] = /* @__PURE__ */ transports.concat([
  defendedLinks,
  bareBase64,
  hyphenation,
  unseenBreaks,
  lineStarts,
  pageNumbers,
]);

/**
 * Replaces a run of octets by their text: UTF-8 if valid, else Latin-1.
 * @param octet matches one octet, with its digits as the first group, or meaningless text between two octets
 * @returns the text of the run
 */
function undoOctets(run: string, offset: number, octet: RegExp, undoing: Undoing): string {
  const octets = run.replaceAll(octet, (whole, digits?: string) =>
    digits === undefined ? '' : octetOfDigits(whole, digits),
  );
  const text = textOfOctets(octets);
  // Control characters suggest that this is a value that begins with hexadecimal digits.
  if (!controls.test(octets)) undoing.replace(offset, offset + run.length, text);
  return text;
}
