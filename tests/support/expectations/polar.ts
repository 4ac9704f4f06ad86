import { codes } from '#sandbox/marketplaces/polar';
import {
  isVoid,
  notFound,
  type MarketplaceExpectations,
  tellsNoSupport,
} from '#tests/support/marketplace-expectations';

export const expected: MarketplaceExpectations = {
  account: /fenwick/iu,
  unasked: codes.withoutOrder,
  connections: {
    whole: {
      test: 'Fenwick',
      answers: [
        [codes.unknown, 'not-found', notFound, 'Not found'],
        [codes.limited, 'untold', 'Genuine', tellsNoSupport],
        [codes.revoked, 'disabled', 'Code disabled', isVoid],
        [codes.expired, 'expired', 'License expired', ''],
        [codes.refunded, 'refunded', 'Refunded', isVoid],
      ],
    },
    none: {
      test: 'It works without a key.',
      answers: [[codes.granted, 'untold', 'Genuine', 'Benefit 8d4c7a10']],
    },
    wrong: { test: 'The access token provided is expired' },
    limited: { test: 'It lacks “orders:read”.' },
  },
};
