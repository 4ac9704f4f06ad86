import { classifyInput } from '#core/check/classify-input';
import { FILE_LIMIT_BYTES } from '#core/license/encoding/source-fault';

/** Tells whether a file is for the verifier: it holds a license or certificate, and no list of codes. */
export async function isLicenseFile(file: File): Promise<boolean> {
  if (file.size > FILE_LIMIT_BYTES) return false;
  const text = await file.text().catch(() => '');
  return classifyInput(text).kind === 'license';
}
