/** A license of no seller's, signed with a key that was thrown away: it shows what a file looks like here, and proves nothing. */
export const sampleLicense =
  'eyJsaWNlbnNlX2lkIjoiTElDLVNBTVBMRSIsInByb2R1Y3Rfc2x1ZyI6InNhbXBsZS1wcm9kdWN0IiwibGljZW5zZV90eXBlIjoiUmVndWxhciIsImRvbWFpbiI6InNob3AuZXhhbXBsZS5jb20iLCJpc3N1ZWRfYXQiOiIyMDI2LTAxLTE1VDA5OjAwOjAwWiJ9.jdwcROFOTuyRn8I3OC7Ck996OlCarEnEcS4Lss5SbTEbpFqW5CFyAq11OxEOtmBdngFaa62-gZ9UZAtiys53BA';
