import { codes } from '#sandbox/marketplaces/freemius';
import {
  isVoid,
  notFound,
  type MarketplaceExpectations,
  tellsNoSupport,
} from '#tests/support/marketplace-expectations';

export const expected: MarketplaceExpectations = {
  account: /Anchorline/u,
  unasked: codes.oddCharacters,
  connections: {
    whole: {
      test: 'Anchorline',
      answers: [
        [codes.unknown, 'not-found', notFound, ''],
        [codes.unlimited, 'untold', 'Genuine', tellsNoSupport],
        [codes.unlimited, 'untold', 'Genuine', 'Professional'],
        [codes.unblocked, 'lapsed', 'Genuine, support ended', 'Anchorline'],
        [codes.blocked, 'expired', 'License expired', ''],
        [codes.cancelled, 'disabled', 'Code disabled', isVoid],
        [codes.refunded, 'refunded', 'Refunded', isVoid],
        [codes.disputed, 'disputed', 'Payment disputed', isVoid],
        [codes.chargedBack, 'charged-back', 'Charged back', isVoid],
        [codes.sandbox, 'test', 'Test purchase', 'Made in test mode, without a payment'],
        [codes.given, 'untold', 'Genuine', 'Anchorline', 'Buyer'],
      ],
    },
    wrong: {
      test: 'It said “The authorization header is invalid.”',
      answers: [
        [
          codes.genuine,
          'fault',
          'Freemius wrong does not accept the API key',
          'The authorization header is invalid.',
        ],
      ],
    },
    other: {
      test: 'It said “The token is not allowed to access this product.”',
      answers: [
        [
          codes.genuine,
          'fault',
          'Freemius other does not accept the API key',
          'The token is not allowed to access this product.',
        ],
      ],
    },
  },
};
