import type { KeyFile } from '#core/key-ring/index';

/**
 * A license of an invented seller, which shows what a file looks like here. The private key that signed it was
 * destroyed.
 */
export const sampleLicense =
  'eyJsaWNlbnNlX2lkIjoiTElDLVNBTVBMRSIsInByb2R1Y3Rfc2x1ZyI6InNhbXBsZS1wcm9kdWN0IiwibGljZW5zZV90eXBlIjoiUmVndWxhciIsImRvbWFpbiI6InNob3AuZXhhbXBsZS5jb20iLCJpc3N1ZWRfYXQiOiIyMDI2LTAxLTE1VDA5OjAwOjAwWiJ9.9lmGPT8m4dHe6fRXa51kjiGMaMlUCvbHsLdxBH3_q0OjTtcvQFIV9rtKuywrq7HXhR85rfF7otOYwVNmAeZOBw';

/** The public key that verifies the sample, to be confirmed like any other. */
export const sampleKeys: KeyFile = {
  format: 'counterfoil-keys',
  version: 1,
  keys: [
    {
      id: 'sample-product',
      label: 'sample-product',
      raw: '2839662392e80aad2a03c788908c05a5fd8d5313449eeb34c9f3c1a6acb8d038',
      fingerprint: 'af801af9c82f75d9d7115f4e1aaf0f841c1089147a64ffac7721134b6616ce2b',
      revoked: false,
      kind: 'test',
    },
  ],
};
