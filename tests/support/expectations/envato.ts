import { codes } from '#sandbox/marketplaces/envato';
import { notFound, type MarketplaceExpectations } from '#tests/support/marketplace-expectations';

const sales = "It lacks “View the user's items' sales history”.";
const refused = 'Wrong authorization header';

export const expected: MarketplaceExpectations = {
  account: /fenwick/iu,
  unasked: codes.unknownAt200,
  connections: {
    whole: {
      test: 'fenwick',
      answers: [
        [codes.unknown, 'not-found', notFound, 'No sale belonging to the current user'],
        // A guest is nobody.
        [codes.guest, 'supported', 'Supported until', 'Regular', 'Buyer'],
        [codes.lapsed, 'lapsed', 'Genuine, support ended', 'harbourmaster'],
        [codes.noSupport, 'no-support', 'Genuine, without support', 'No support was bought'],
      ],
    },
    wrong: {
      test: `It said “${refused}”. Enter the key again.`,
      answers: [
        [codes.supported, 'fault', 'Envato Market wrong does not accept the API key', refused],
      ],
    },
    limited: {
      test: sales,
      answers: [
        [
          codes.supported,
          'fault',
          'The API key of Envato Market limited lacks a permission',
          sales,
        ],
      ],
    },
    nameless: { test: 'It lacks “View your Envato Account username”.' },
  },
};
