import { codes } from '#sandbox/marketplaces/polar';
import {
  isVoid,
  notFound,
  type PlaceExpectations,
  tellsNoSupport,
} from '#tests/support/place-expectations';

export const expected: PlaceExpectations = {
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
