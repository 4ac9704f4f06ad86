import { demo } from '#sandbox/seed/demo';
import { marketCodeItems } from '#sandbox/seed/market-code-items';
import { marketOtherItems } from '#sandbox/seed/market-other-items';
import { marketPurchases } from '#sandbox/seed/market-purchases';
import type { SeedAccount } from '#sandbox/seed/shape';
import { solo } from '#sandbox/seed/solo';

/** Describes the large shop of `/market`, and of most dialects. */
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
  items: [...marketCodeItems, ...marketOtherItems],
  purchases: marketPurchases,
};

/** Lists every seller of a new database. */
export const accounts: readonly SeedAccount[] = [demo, market, solo];
