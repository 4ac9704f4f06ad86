import type { Base } from '#sandbox/seller/deployments';

/** Well formed, but in no seller's purchases. */
const unknown = '3b272e1a-dabe-4c96-9154-a65e097344a2';

const demo = {
  supported: 'cd2adc96-59f5-72e3-a62a-c13f0282fc0f',
  extended: '50a76a0a-7306-b504-6534-195e2592cd30',
  /** Months ago. */
  lapsed: '26cbfa66-b931-4ef1-9166-057e42b590ce',
  lapsedYesterday: '31ccb384-50fe-0577-ecc8-76eaef8128a8',
  endsTomorrow: 'cf31fe6a-7ad2-4720-a34b-9d95d94aee51',
  noSupport: '68e722eb-7605-3856-6cc6-9570ec33ba0f',
  /** Support was bought, but the seller has switched it off for the item. */
  supportDisabled: '6e1670a3-20dd-480c-878d-22ac28258c5d',
  neverDownloaded: '94deb2e9-84e4-b8cb-134a-88764c75c09a',
  unknown,
};

const market = {
  supported: '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df',
  extended: '52d6acfd-e42d-6242-26f0-87400ff8c799',
  lapsed: 'acdc5ec8-0689-408c-91ce-7fa50f2678f5',
  lapsedYesterday: 'af5e06b9-338f-5c89-f865-0e3715348925',
  endsTomorrow: '2a9e8fa9-8f64-21ce-f9ef-ba116a83a531',
  noSupport: '8d842d29-2c11-4e65-a91d-247733266c53',
  supportDisabled: 'a689610a-e679-b885-3324-54e06e971d91',
  neverDownloaded: '98209c8e-3304-432e-9b38-834092a63079',
  unknown,
  /** 10-5-5-5-10 letters and digits. */
  oddDashed: '7P6P7G3E2C-9BWGH-9P4X3-AAGFD-Q8BHT6Z6KH',
  /** `LIC-` and four groups of four. */
  oddPrefixed: 'LIC-MK9R-YDZS-ED3J-JSTF',
  /** 32 letters and digits. */
  oddPlain: 'ZEE99ERU25MDM8Z64USZFMVQL9HJED9P',
  audioItem: '9b4c1886-7db0-4d2b-85c8-001346e090e9',
  videoItem: '6ead25a0-7bdd-b679-342b-e416b7363211',
  themeItem: '49ab4906-0dd3-4b56-8097-c20fd15d0c56',
  longName: 'f8c568d1-f9b1-4d8c-ad8d-799d12e8dbb4',
  rightToLeft: '39905bb3-9793-e0b3-010d-b65e0214a8a1',
  /** The item's name and description hold HTML, its description a script. */
  htmlName: '3234a2c0-2476-4858-8be5-d3c462d614f0',
  htmlDescription: '52d6acfd-e42d-6242-26f0-87400ff8c799',
};

const solo = {
  supported: '71d2d2b6-649c-4e5e-8a60-3601d0f7d0cf',
  extended: '1f347caf-b13d-564b-25a5-25dee50ec0bb',
  lapsed: 'a1baeb1d-b8e7-45d6-9e94-ce15351a8c2e',
  lapsedYesterday: 'bc0597fc-7fa3-ff0a-a456-e2e3e54b6738',
  endsTomorrow: '88ec7a46-d285-48ac-85c6-662c5981f57d',
  noSupport: '1d99d7df-8a97-4ad8-994b-dbd776581e6c',
  neverDownloaded: 'c4052968-33a1-bcad-88da-52af1a321f01',
  unknown,
};

export type MarketSampleCodes = typeof market;

/**
 * Returns seeded codes by situation, the same in every database. Each situation holds on every day.
 *
 * The dialects sell what `/market` sells, except `/dialect/one-item`.
 */
export function sampleCodes(base: '/demo'): typeof demo;
export function sampleCodes(base: Exclude<Base, '/demo' | '/dialect/one-item'>): MarketSampleCodes;
export function sampleCodes(base: Base): typeof solo;
export function sampleCodes(base: Base): typeof solo {
  if (base === '/demo') return demo;
  return base === '/dialect/one-item' ? solo : market;
}
