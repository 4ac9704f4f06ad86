import { marketItems, marketPurchases } from '#sandbox/seed/market';
import { extended, offer, type SeedAccount, sale, unused } from '#sandbox/seed/shape';

/** The small shop of `/demo`: three items, and one purchase of every kind an agent meets. */
export const demo: SeedAccount = {
  id: 'demo',
  firstname: 'Ada',
  lastname: 'Fenwick',
  username: 'fenwick-studio',
  email: 'ada@fenwick.example',
  balance: 412.5,
  currency: 'EUR',
  heading: 'Small tools, kept sharp',
  description: 'Three plugins, one developer, answers within a day.',
  contactEmail: 'support@fenwick.example',
  socialLinks: { x: 'https://x.com/fenwickstudio', mastodon: 'https://mastodon.example/@fenwick' },
  registeredAt: '2021-02-11T09:24:31Z',
  items: [
    offer(101, 'code', 'Ledgerline: invoices for small teams', [49, 249], {
      description:
        '<p>Invoices, reminders and a ledger that adds up.</p><ul><li>PDF &amp; UBL</li><li>VAT for 27 countries</li></ul>',
      category: ['PHP Scripts', 'Invoicing'],
      options: ['PHP 8.x', 'MySQL 8.x', 'Laravel'],
      version: '3.2.1',
      tags: ['invoice', 'vat', 'ledger', 'pdf'],
      screenshots: 3,
      publishedAt: '2021-06-03T08:00:00Z',
    }),
    offer(102, 'theme', 'Harbour: a quiet WordPress theme', [39, 199], {
      description: 'A theme for people who write. No sliders.',
      category: ['WordPress', 'Blog / Magazine'],
      options: ['WordPress 6.x', 'Gutenberg ready'],
      version: '1.9.0',
      tags: ['blog', 'minimal', 'typography'],
      screenshots: 2,
      publishedAt: '2022-01-19T10:30:00Z',
    }),
    offer(103, 'code', 'Pigeonhole: contact form (unsupported classic)', [9.5, 45], {
      description: 'The old contact form, as it is. <strong>Sold without support.</strong>',
      category: ['JavaScript', 'Forms'],
      options: ['jQuery 3.x'],
      version: '0.9.14',
      tags: ['form', 'contact'],
      publishedAt: '2021-03-01T12:00:00Z',
      supportOff: true,
    }),
  ],
  purchases: [
    sale('cd2adc96-59f5-72e3-a62a-c13f0282fc0f', 101, [-61, 121], '10:12:44'),
    sale('50a76a0a-7306-b504-6534-195e2592cd30', 101, [-20, 345], '16:40:02', extended),
    sale('26cbfa66-b931-4ef1-9166-057e42b590ce', 102, [-490, -307], '07:05:19', { price: 29 }),
    sale('31ccb384-50fe-0577-ecc8-76eaef8128a8', 101, [-183, -1], '15:12:09'),
    sale('cf31fe6a-7ad2-4720-a34b-9d95d94aee51', 102, [-181, 1], '18:30:00'),
    sale('68e722eb-7605-3856-6cc6-9570ec33ba0f', 102, [-8], '20:01:55'),
    sale('6e1670a3-20dd-480c-878d-22ac28258c5d', 103, [-90, 92], '13:13:13'),
    sale('94deb2e9-84e4-b8cb-134a-88764c75c09a', 101, [-1, 181], '22:48:30', unused),
  ],
};

/** A seller with exactly one item, for the deployment that hides it. */
const solo: SeedAccount = {
  id: 'solo',
  firstname: 'Mira',
  lastname: 'Okafor',
  username: 'oneworks',
  email: 'mira@oneworks.example',
  balance: 0,
  currency: 'GBP',
  heading: 'One thing, done well',
  description: 'The whole catalogue is one script.',
  contactEmail: 'hello@oneworks.example',
  socialLinks: { youtube: 'https://www.youtube.com/@oneworks' },
  registeredAt: '2023-05-30T18:02:00Z',
  items: [
    offer(901, 'code', 'Turnstile: queue management for clinics', [59, 290], {
      description: 'Numbers, screens and a bell.',
      category: ['PHP Scripts', 'Business'],
      options: ['PHP 8.x'],
      version: '2.0.3',
      tags: ['queue', 'clinic'],
      screenshots: 1,
      publishedAt: '2023-07-01T09:00:00Z',
    }),
  ],
  purchases: [
    sale('71d2d2b6-649c-4e5e-8a60-3601d0f7d0cf', 901, [-33, 149], '11:59:01'),
    sale('1f347caf-b13d-564b-25a5-25dee50ec0bb', 901, [-12, 170], '09:09:09', extended),
    sale('a1baeb1d-b8e7-45d6-9e94-ce15351a8c2e', 901, [-400, -217], '06:20:47'),
    sale('bc0597fc-7fa3-ff0a-a456-e2e3e54b6738', 901, [-183, -1], '08:45:00'),
    sale('88ec7a46-d285-48ac-85c6-662c5981f57d', 901, [-181, 1], '21:15:30'),
    sale('1d99d7df-8a97-4ad8-994b-dbd776581e6c', 901, [-70], '14:14:14'),
    sale('c4052968-33a1-bcad-88da-52af1a321f01', 901, [-2, 180], '17:31:08', unused),
  ],
};

/** The large shop of `/market`, and of most dialects. */
export const market: SeedAccount = {
  id: 'market',
  firstname: 'Jónas',
  lastname: 'Þórðarson-Weiß',
  username: 'northmark',
  email: 'accounts@northmark.example',
  balance: 18240.07,
  currency: 'USD',
  heading: 'Scripts, themes, sounds & clips since 2019',
  description:
    '<p>We are <strong>five people</strong> in two time zones.</p><p>Support: Monday to Friday, 08:00&ndash;17:00&nbsp;UTC.</p>',
  contactEmail: 'support@northmark.example',
  socialLinks: {
    facebook: 'https://www.facebook.com/northmark.example',
    x: 'https://x.com/northmark_ex',
    youtube: 'https://www.youtube.com/@northmark-example',
    bluesky: 'https://bsky.app/profile/northmark.example',
    'vk.com': 'https://vk.com/northmark_example',
  },
  registeredAt: '2019-04-17T06:55:12Z',
  items: marketItems,
  purchases: marketPurchases,
};

/** Every seller of a new database. */
export const accounts: readonly SeedAccount[] = [demo, market, solo];
