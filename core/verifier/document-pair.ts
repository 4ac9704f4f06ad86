import type { Inspection } from '#core/license/inspect/inspection';

/** Tells whether of two documents one is a license alone and the other a certificate alone. */
export function isLicenseWithCertificate(
  first: Inspection | undefined,
  second: Inspection | undefined,
): boolean {
  const contents = [first, second].map(contentOf);
  return contents.includes('license') && contents.includes('certificate');
}

function contentOf(inspection: Inspection | undefined): 'license' | 'certificate' | 'other' {
  if (inspection === undefined || inspection.others.length > 0) return 'other';
  const { license, certificate } = inspection;
  if ((license === undefined) === (certificate === undefined)) return 'other';
  return license === undefined ? 'certificate' : 'license';
}
