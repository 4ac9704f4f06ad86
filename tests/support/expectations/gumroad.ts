import { codes } from '#sandbox/marketplaces/gumroad';
import {
  isVoid,
  notFound,
  type MarketplaceExpectations,
  tellsNoSupport,
} from '#tests/support/marketplace-expectations';

const sales = 'It lacks “view_sales”.';

export const expected: MarketplaceExpectations = {
  account: /fenwick/iu,
  unasked: codes.secondProduct,
  connections: {
    whole: {
      test: 'Ada Fenwick',
      answers: [
        [codes.unknown, 'not-found', notFound, 'That license does not exist'],
        [codes.genuine, 'untold', 'Genuine', tellsNoSupport],
        [codes.refunded, 'refunded', 'Refunded', isVoid],
        [codes.disputed, 'disputed', 'Payment disputed', isVoid],
        [codes.chargedBack, 'charged-back', 'Charged back', isVoid],
        [codes.disabled, 'disabled', 'Code disabled', isVoid],
        [codes.ended, 'ended', 'Subscription ended', 'Ended on'],
        [codes.test, 'test', 'Test purchase', 'Made in test mode, without a payment'],
      ],
    },
    wrong: {
      test: 'It said “HTTP 401”. Enter the key again.',
      answers: [[codes.genuine, 'fault', 'Gumroad wrong does not accept the API key', 'HTTP 401']],
    },
    limited: {
      test: sales,
      answers: [
        [codes.genuine, 'fault', 'The API key of Gumroad limited lacks a permission', sales],
      ],
    },
  },
};
