import { classifyInput } from '#core/check/classify-input';
import { fileLimitBytes } from '#core/license/encoding/source-fault';

/** Tells whether a file is for the verifier: it holds a license or certificate, and no list of codes. */
export async function isLicenseFile(file: File): Promise<boolean> {
  if (file.size > fileLimitBytes) return false;
  const text = await file.text().catch(() => '');
  return classifyInput(text).kind === 'license';
}
