import { sampleCodes } from '#sandbox/seed/sample-codes';
import type { Message, Ticket } from '#sandbox/seed/shape';

const market = sampleCodes('/market');
const demo = sampleCodes('/demo');

/**
 * Collects odd codes, other scripts, codes in blocks of code, markup in a subject, no code at all, and a very long
 * thread.
 */
export const unusualTickets: readonly Ticket[] = [
  {
    id: 1049,
    subject: 'Three plugins, three kinds of code',
    customer: 'Benedikt Maurer',
    holds: 'Odd codes with labels; /market',
    messages: [
      {
        from: 'customer',
        hoursAgo: 7,
        text: `License key: ${market.oddDashed}\nPurchase code: ${market.oddPrefixed}\nCode: ${market.oddPlain}\n\nAll three say “not activated”.`,
      },
    ],
  },
  {
    id: 1050,
    subject: 'لا تظهر الفواتير بعد التحديث',
    customer: 'ليلى حداد',
    holds: 'Text from right to left around the code; supported at /market',
    messages: [
      {
        from: 'customer',
        hoursAgo: 12,
        text: `مرحباً، رمز الشراء هو ${market.rightToLeft} والموقع يعمل على الخادم الجديد.\n\nشكراً لكم.`,
      },
    ],
  },
  {
    id: 1051,
    subject: 'Log attached',
    customer: 'dev@agency.example',
    holds: 'A code in a block of code, beside other identifiers; /market',
    messages: [
      {
        from: 'customer',
        hoursAgo: 15,
        text: 'It stops right after the license check:',
        code: `[info] request 8f14e45f\n[info] build 2024.11.3-rc1, commit 45c48cce2e2d7fbdea1afc51c7c6ad26\n[info] PURCHASE_CODE="${market.themeItem}"\n[fail] supported_until is empty`,
      },
    ],
  },
  {
    id: 1052,
    subject: '<b>URGENT</b> <img src=x onerror=alert(1)> site down',
    customer: '"><script>alert(1)</script>',
    holds: 'Markup where text was expected; supported at /demo',
    messages: [
      {
        from: 'customer',
        hoursAgo: 1,
        text: `</pre></div><script>alert(document.cookie)</script>\n\ncode=${demo.endsTomorrow}&ref=ticket`,
      },
    ],
  },
  {
    id: 1053,
    subject: 'Do you offer discounts for schools?',
    customer: 'Ingrid Solheim',
    holds: 'No code',
    messages: [
      {
        from: 'customer',
        hoursAgo: 20,
        text: 'We are a school with eleven classes and would like to use your theme.',
      },
    ],
  },
  {
    id: 1055,
    subject: 'It says “denied”',
    customer: 'Camille Fournier',
    holds: 'License files attached, and a code with labels in French; ends tomorrow at /demo',
    attached: ['validation-due-bundle.json', 'denied-certificate.cert'],
    messages: [
      {
        from: 'customer',
        hoursAgo: 3,
        text: `Bonjour,\n\nle module affiche « denied » depuis ce matin. Code d’achat : ${demo.endsTomorrow}\n\nLes deux fichiers sont joints. Merci, Camille`,
      },
    ],
  },
  {
    id: 1056,
    subject: 'Please register these',
    customer: 'Naveen Rao',
    holds: 'A table of codes, full-width digits, soft hyphens, and a code cut by an element; /demo',
    messages: [
      {
        from: 'customer',
        hoursAgo: 6,
        text: `1; ${demo.lapsed}; old shop\n2; ${fullWidthDigits(demo.extended)}; new shop\n3; ${demo.noSupport.replaceAll('-', '-\u00ad')}; staging`,
      },
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

/** Writes digits in full width, as East Asian keyboards do. */
function fullWidthDigits(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
}

function longThread(length: number): readonly Message[] {
  return Array.from({ length }, (_, index): Message => {
    const hoursAgo = (length - index) * 3;
    if (index === Math.floor(length / 2)) {
      return { from: 'customer', hoursAgo, text: `Again, my code: ${market.supportDisabled}` };
    }
    return index % 2 === 0
      ? {
          from: 'customer',
          hoursAgo,
          text: `Attempt ${String(index / 2 + 1)}: the same as before.`,
        }
      : { from: 'agent', hoursAgo, text: 'Thank you, we are looking into it.' };
  });
}
