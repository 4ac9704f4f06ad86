import { codes } from '#sandbox/marketplaces/easy-digital-downloads';
import {
  isVoid,
  notFound,
  type MarketplaceExpectations,
} from '#tests/support/marketplace-expectations';

export const expected: MarketplaceExpectations = {
  // A shop tells its currency, and no name.
  account: /EUR/u,
  unasked: codes.runsOut,
  connections: {
    whole: {
      test: 'The key works.',
      answers: [
        [codes.unknown, 'not-found', notFound, ''],
        [codes.elsewhere, 'untold', 'Genuine', 'Harbour Forms'],
        [codes.expired, 'expired', 'License expired', ''],
        [codes.disabled, 'disabled', 'Code disabled', isVoid],
        [codes.wantsItem, 'untold', 'Genuine', 'Harbour Forms'],
      ],
    },
    wrong: { test: 'It said “Invalid API key!”' },
    limited: { test: 'It lacks “view_shop_reports”.' },
  },
};
