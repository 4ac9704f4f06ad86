import { marketplaceCodes } from '#sandbox/marketplaces/codes';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import type { Ticket } from '#sandbox/seed/shape';
import { unusualTickets } from '#sandbox/seed/unusual-tickets';

const demo = sampleCodes('/demo');
const market = sampleCodes('/market');

/** Numbers the ticket with a code of each marketplace. */
export const everyMarketplaceTicket = 1060;

/** Holds the help desk's queue: purchase codes in the shapes in which they come. */
export const tickets: readonly Ticket[] = [
  {
    id: 1041,
    subject: 'Invoice numbers start at zero',
    customer: 'Lena Brandt',
    holds: 'One plain code; supported at /demo',
    messages: [
      {
        from: 'customer',
        hoursAgo: 5,
        text: `Hello,\n\nsince the update all invoices are numbered 0. My purchase code is ${demo.supported} and the site runs PHP 8.3.\n\nThank you, Lena`,
      },
      {
        from: 'agent',
        hoursAgo: 4,
        text: 'Hi Lena,\n\nthanks for writing. Let me look that purchase up first.',
      },
    ],
  },
  {
    id: 1042,
    subject: 'Please extend my support',
    customer: 'Oluwaseun Adeyemi',
    holds: 'A label, capital letters, a full stop; lapsed yesterday at /demo',
    messages: [
      {
        from: 'customer',
        hoursAgo: 9,
        text: `Purchase code: ${demo.lapsedYesterday.toUpperCase()}.\n\nWhat does another year cost?`,
      },
    ],
  },
  {
    id: 1043,
    subject: 'Which of these is for the new site?',
    customer: 'Marta Kowalczyk',
    holds: 'Three codes, one of them twice; /demo',
    messages: [
      {
        from: 'customer',
        hoursAgo: 26,
        text: `I have bought several times:\n${demo.extended}\n${demo.noSupport}\n${demo.neverDownloaded}\n\nThe first one (${demo.extended}) is on the old server.`,
      },
    ],
  },
  {
    id: 1044,
    subject: 'Tracking page stays empty',
    customer: 'Tomás Herrera',
    holds: 'Spaces around the dashes, in quotes; supported at /market',
    messages: [
      {
        from: 'customer',
        hoursAgo: 2,
        text: `My code is “${market.supported.replaceAll('-', ' - ')}”, it says “no carrier”.`,
      },
    ],
  },
  {
    id: 1045,
    subject: 'Copied from the PDF',
    customer: 'Aiko Tanaka',
    holds: 'Non-breaking hyphens, no-break and zero-width spaces; ends tomorrow at /market',
    messages: [
      {
        from: 'customer',
        hoursAgo: 31,
        text: `コードはこちらです：\u00a0${market.endsTomorrow.replaceAll('-', '\u200b\u2011')}\u200b\u00a0よろしくお願いします。`,
      },
    ],
  },
  {
    id: 1046,
    subject: 'Re: [Ticket 1046] License',
    customer: 'Geoffrey Hale',
    holds: 'Broken by mail and quoted, twice the same; lapsed at /market',
    messages: [
      {
        from: 'customer',
        hoursAgo: 50,
        text: `Here it is as asked: ${market.lapsed.slice(0, 24)}\n${market.lapsed.slice(24)}\n\nRegards\nG. Hale`,
      },
      { from: 'agent', hoursAgo: 48, text: 'Thank you. Could you send it once more, in one line?' },
      {
        from: 'customer',
        hoursAgo: 46,
        text: `> Thank you. Could you send it once more, in one line?\n>\n>> Here it is as asked: ${market.lapsed.slice(0, 24)}\n>> ${market.lapsed.slice(24)}\n\nThat is one line on my side!`,
      },
    ],
  },
  {
    id: 1047,
    subject: 'Word made this of it',
    customer: 'Søren Kjær',
    holds: 'En dashes; no support at /market',
    messages: [
      {
        from: 'customer',
        hoursAgo: 70,
        text: `Købskode ${market.noSupport.replaceAll('-', '–')}; tak!`,
      },
    ],
  },
  {
    id: 1048,
    subject: 'Refunded, but the theme still works?',
    customer: 'Priya Natarajan',
    holds: 'A code that no seller knows',
    messages: [
      {
        from: 'customer',
        hoursAgo: 96,
        text: `You refunded ${market.unknown} last week. Do I have to delete the files?`,
      },
    ],
  },
  ...unusualTickets,
  {
    id: everyMarketplaceTicket,
    subject: 'Bought in four places',
    customer: 'Inés Ocampo',
    holds: 'A code of each marketplace; all of them genuine',
    messages: [
      {
        from: 'customer',
        hoursAgo: 3,
        text: `Hi, I own all of these:\n\n${demo.supported}\n${marketplaceCodes['/envato'].supported}\n${marketplaceCodes['/gumroad'].genuine}\n${marketplaceCodes['/lemon-squeezy'].active}\n\nWhich of them come with support?`,
      },
    ],
  },
];
