import { anyPrefix, anyCharacter } from '#core/codes/index';

const uuid = 'HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH';

/**
 * The marketplaces with an API of their own, and the forms of their codes in the syntax of `Dialect.codePattern`,
 * extended by `anyCharacter` and `anyPrefix`. A connection without a marketplace uses the seller API.
 *
 * This is separate from the descriptors because a page that only looks for codes does not need those.
 */
export const codeForms = {
  'easy-digital-downloads': ['H'.repeat(32)],
  envato: [uuid],
  // Any character but a space is possible, as in Freemius's own input field.
  freemius: [`sk_${anyCharacter.repeat(29)}`],
  gumroad: ['HHHHHHHH-HHHHHHHH-HHHHHHHH-HHHHHHHH'],
  'lemon-squeezy': [uuid],
  polar: [`${anyPrefix}${uuid}`],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type MarketplaceId = keyof typeof codeForms;

export const marketplaceIds = /* @__PURE__ */ Object.keys(codeForms) as readonly MarketplaceId[];
