import { codes } from '#sandbox/marketplaces/lemon-squeezy';
import {
  isVoid,
  notFound,
  type MarketplaceExpectations,
  tellsNoSupport,
} from '#tests/support/marketplace-expectations';

export const expected: MarketplaceExpectations = {
  account: /fenwick/iu,
  unasked: codes.active,
  connections: {
    whole: {
      test: 'Ada Fenwick',
      answers: [
        [codes.unknown, 'not-found', notFound, 'license_key not found.'],
        [codes.otherStore, 'not-found', notFound, 'Possible reasons'],
        [codes.inactive, 'untold', 'Genuine', tellsNoSupport],
        [codes.disabled, 'disabled', 'Code disabled', isVoid],
        [codes.expired, 'expired', 'License expired', ''],
        [codes.test, 'test', 'Test purchase', 'Made in test mode, without a payment'],
      ],
    },
    wrong: { test: 'It said “Unauthenticated.”. Enter the key again.' },
  },
};
