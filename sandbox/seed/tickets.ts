import { emulations } from '#sandbox/marketplaces/marketplaces';
import { sampleCodes } from '#sandbox/seed/sample-codes';

/** A conversation in the sample help desk. */
export interface Ticket {
  readonly id: number;
  readonly subject: string;
  readonly customer: string;
  /** The shape of its codes, for choosing a ticket to try. */
  readonly holds: string;
  readonly messages: readonly Message[];
  /** Sample files of the license authority that the customer has attached, by name. */
  readonly attached?: readonly string[];
}

export interface Message {
  readonly from: 'customer' | 'agent';
  /** Hours before it is looked at. */
  readonly hoursAgo: number;
  /** Plain text: an empty line parts paragraphs, lines that begin with `>` are quoted mail. */
  readonly text: string;
  /** Shown under the text, as a block of code. */
  readonly code?: string;
}

const demo = sampleCodes('/demo');
const market = sampleCodes('/market');
const genuineCodes = Object.values(emulations).flatMap(({ codes }) =>
  Object.values(codes).slice(0, 1),
);

/**
 * Collects odd codes, other scripts, codes in blocks of code, markup in a subject, no code at all, and a very long
 * thread.
 */
const unusualTickets: readonly Ticket[] = [
  {
    id: 1049,
    subject: 'Three plugins, three kinds of code',
    customer: 'Benedikt Maurer',
    holds: 'Odd codes with labels; /market',
    messages: [
      asked(
        7,
        `License key: ${market.oddDashed}\nPurchase code: ${market.oddPrefixed}\nCode: ${market.oddPlain}\n\nAll three say “not activated”.`,
      ),
    ],
  },
  {
    id: 1050,
    subject: 'لا تظهر الفواتير بعد التحديث',
    customer: 'ليلى حداد',
    holds: 'Text from right to left around the code; supported at /market',
    messages: [
      asked(
        12,
        `مرحباً، رمز الشراء هو ${market.rightToLeft} والموقع يعمل على الخادم الجديد.\n\nشكراً لكم.`,
      ),
    ],
  },
  {
    id: 1051,
    subject: 'Log attached',
    customer: 'dev@agency.example',
    holds: 'A code in a block of code, beside other identifiers; /market',
    messages: [
      asked(
        15,
        'It stops right after the license check:',
        `[info] request 8f14e45f\n[info] build 2024.11.3-rc1, commit 45c48cce2e2d7fbdea1afc51c7c6ad26\n[info] PURCHASE_CODE="${market.themeItem}"\n[fail] supported_until is empty`,
      ),
    ],
  },
  {
    id: 1052,
    subject: '<b>URGENT</b> <img src=x onerror=alert(1)> site down',
    customer: '"><script>alert(1)</script>',
    holds: 'Markup where text was expected; supported at /demo',
    messages: [
      asked(
        1,
        `</pre></div><script>alert(document.cookie)</script>\n\ncode=${demo.endsTomorrow}&ref=ticket`,
      ),
    ],
  },
  {
    id: 1053,
    subject: 'Do you offer discounts for schools?',
    customer: 'Ingrid Solheim',
    holds: 'No code',
    messages: [asked(20, 'We are a school with eleven classes and would like to use your theme.')],
  },
  {
    id: 1055,
    subject: 'It says “denied”',
    customer: 'Camille Fournier',
    holds: 'License files attached, and a code with labels in French; ends tomorrow at /demo',
    attached: ['validation-due-bundle.json', 'denied-certificate.cert'],
    messages: [
      asked(
        3,
        `Bonjour,\n\nle module affiche « denied » depuis ce matin. Code d’achat : ${demo.endsTomorrow}\n\nLes deux fichiers sont joints. Merci, Camille`,
      ),
    ],
  },
  {
    id: 1056,
    subject: 'Please register these',
    customer: 'Naveen Rao',
    holds: 'A table of codes, full-width digits, soft hyphens, and a code cut by an element; /demo',
    messages: [
      asked(
        6,
        `1; ${demo.lapsed}; old shop\n2; ${fullWidthDigits(demo.extended)}; new shop\n3; ${demo.noSupport.replaceAll('-', '-\u00ad')}; staging`,
      ),
    ],
  },
  {
    id: 1054,
    subject: 'Still not solved (long)',
    customer: 'Ruairí Ó Dálaigh',
    holds: 'Two hundred messages, a code in the middle of them; support switched off at /market',
    messages: longThread(200),
  },
];

/** Numbers the ticket with a code of each marketplace. */
export const everyMarketplaceTicket = 1060;

/** The help desk's queue: purchase codes in the shapes in which they come. */
export const tickets: readonly Ticket[] = [
  {
    id: 1041,
    subject: 'Invoice numbers start at zero',
    customer: 'Lena Brandt',
    holds: 'One plain code; supported at /demo',
    messages: [
      asked(
        5,
        `Hello,\n\nsince the update all invoices are numbered 0. My purchase code is ${demo.supported} and the site runs PHP 8.3.\n\nThank you, Lena`,
      ),
      answered(4, 'Hi Lena,\n\nthanks for writing. Let me look that purchase up first.'),
    ],
  },
  {
    id: 1042,
    subject: 'Please extend my support',
    customer: 'Oluwaseun Adeyemi',
    holds: 'A label, capital letters, a full stop; lapsed yesterday at /demo',
    messages: [
      asked(
        9,
        `Purchase code: ${demo.lapsedYesterday.toUpperCase()}.\n\nWhat does another year cost?`,
      ),
    ],
  },
  {
    id: 1043,
    subject: 'Which of these is for the new site?',
    customer: 'Marta Kowalczyk',
    holds: 'Three codes, one of them twice; /demo',
    messages: [
      asked(
        26,
        `I have bought several times:\n${demo.extended}\n${demo.noSupport}\n${demo.neverDownloaded}\n\nThe first one (${demo.extended}) is on the old server.`,
      ),
    ],
  },
  {
    id: 1044,
    subject: 'Tracking page stays empty',
    customer: 'Tomás Herrera',
    holds: 'Spaces around the dashes, in quotes; supported at /market',
    messages: [
      asked(2, `My code is “${market.supported.replaceAll('-', ' - ')}”, it says “no carrier”.`),
    ],
  },
  {
    id: 1045,
    subject: 'Copied from the PDF',
    customer: 'Aiko Tanaka',
    holds: 'Non-breaking hyphens, no-break and zero-width spaces; ends tomorrow at /market',
    messages: [
      asked(
        31,
        `コードはこちらです：\u00a0${market.endsTomorrow.replaceAll('-', '\u200b\u2011')}\u200b\u00a0よろしくお願いします。`,
      ),
    ],
  },
  {
    id: 1046,
    subject: 'Re: [Ticket 1046] License',
    customer: 'Geoffrey Hale',
    holds: 'Broken by mail and quoted, twice the same; lapsed at /market',
    messages: [
      asked(
        50,
        `Here it is as asked: ${market.lapsed.slice(0, 24)}\n${market.lapsed.slice(24)}\n\nRegards\nG. Hale`,
      ),
      answered(48, 'Thank you. Could you send it once more, in one line?'),
      asked(
        46,
        `> Thank you. Could you send it once more, in one line?\n>\n>> Here it is as asked: ${market.lapsed.slice(0, 24)}\n>> ${market.lapsed.slice(24)}\n\nThat is one line on my side!`,
      ),
    ],
  },
  {
    id: 1047,
    subject: 'Word made this of it',
    customer: 'Søren Kjær',
    holds: 'En dashes; no support at /market',
    messages: [asked(70, `Købskode ${market.noSupport.replaceAll('-', '–')}; tak!`)],
  },
  {
    id: 1048,
    subject: 'Refunded, but the theme still works?',
    customer: 'Priya Natarajan',
    holds: 'A code that no seller knows',
    messages: [
      asked(96, `You refunded ${market.unknown} last week. Do I have to delete the files?`),
    ],
  },
  ...unusualTickets,
  {
    id: everyMarketplaceTicket,
    subject: 'Bought in several places',
    customer: 'Inés Ocampo',
    holds: 'A code of each marketplace; all of them genuine',
    messages: [
      asked(
        3,
        `Hi, I own all of these:\n\n${[demo.supported, ...genuineCodes].join('\n')}\n\nWhich of them come with support?`,
      ),
    ],
  },
];

/** Writes digits in full width, as East Asian keyboards do. */
function fullWidthDigits(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
}

function longThread(length: number): readonly Message[] {
  return Array.from({ length }, (_, index): Message => {
    const hoursAgo = (length - index) * 3;
    if (index === Math.floor(length / 2))
      return asked(hoursAgo, `Again, my code: ${market.supportDisabled}`);
    return index % 2 === 0
      ? asked(hoursAgo, `Attempt ${String(index / 2 + 1)}: the same as before.`)
      : answered(hoursAgo, 'Thank you, we are looking into it.');
  });
}

function asked(hoursAgo: number, text: string, code?: string): Message {
  return { from: 'customer', hoursAgo, text, ...(code !== undefined && { code }) };
}

function answered(hoursAgo: number, text: string): Message {
  return { from: 'agent', hoursAgo, text };
}
