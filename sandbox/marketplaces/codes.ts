/** Lists the paths below which the sandbox emulates a marketplace with an API of its own. */
export const marketplaceBases = ['/envato', '/gumroad', '/lemon-squeezy'] as const;

export type MarketplaceBase = (typeof marketplaceBases)[number];

/** Holds the codes of the seeded purchases, by marketplace and situation. */
export const marketplaceCodes = {
  '/envato': {
    supported: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7e01',
    lapsed: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7e02',
    noSupport: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7e03',
    guest: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7e04',
    unknown: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7eff',
  },
  '/gumroad': {
    genuine: 'A1B2C3D4-00000001-9F8E7D6C-5B4A3928',
    secondProduct: 'A1B2C3D4-00000002-9F8E7D6C-5B4A3928',
    refunded: 'A1B2C3D4-00000003-9F8E7D6C-5B4A3928',
    disputed: 'A1B2C3D4-00000004-9F8E7D6C-5B4A3928',
    chargedBack: 'A1B2C3D4-00000005-9F8E7D6C-5B4A3928',
    disabled: 'A1B2C3D4-00000006-9F8E7D6C-5B4A3928',
    ended: 'A1B2C3D4-00000007-9F8E7D6C-5B4A3928',
    cancelled: 'A1B2C3D4-00000008-9F8E7D6C-5B4A3928',
    test: 'A1B2C3D4-00000009-9F8E7D6C-5B4A3928',
    unknown: 'A1B2C3D4-FFFFFFFF-9F8E7D6C-5B4A3928',
  },
  '/lemon-squeezy': {
    active: '38B1460A-5104-4067-A91D-77B872934D01',
    inactive: '38B1460A-5104-4067-A91D-77B872934D02',
    expired: '38B1460A-5104-4067-A91D-77B872934D03',
    disabled: '38B1460A-5104-4067-A91D-77B872934D04',
    test: '38B1460A-5104-4067-A91D-77B872934D05',
    otherStore: '38B1460A-5104-4067-A91D-77B872934D06',
    unknown: '38B1460A-5104-4067-A91D-77B872934DFF',
  },
} as const;

/** Names the store whose keys are ours at the marketplace that answers for every store's. */
export const ownStore = '4711';
