import { anyPrefix, anyCharacter } from '#core/codes/index';

const uuid = 'HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH';

/**
 * The marketplaces that are asked in a way of their own, each with the forms of its codes, in the syntax of
 * `Dialect.codePattern` and with `anyCharacter` and `anyPrefix`. A connection without one of these speaks the seller
 * API.
 *
 * It stands apart from the descriptors, since a page that looks for codes needs no more than this.
 */
export const codeForms = {
  'easy-digital-downloads': ['H'.repeat(32)],
  envato: [uuid],
  // The characters may be any but a space, as in the field of the form that takes such a key.
  freemius: [`sk_${anyCharacter.repeat(29)}`],
  gumroad: ['HHHHHHHH-HHHHHHHH-HHHHHHHH-HHHHHHHH'],
  'lemon-squeezy': [uuid],
  polar: [`${anyPrefix}${uuid}`],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type MarketplaceId = keyof typeof codeForms;

export const marketplaceIds = /* @__PURE__ */ Object.keys(codeForms) as readonly MarketplaceId[];
