import type { RunningAuthority } from '#sandbox/authority/server';
import { addAuthority, pinTestKey } from '#scripts/running/agent';
import { type Extension, openPage } from '#scripts/running/extension';

/**
 * Pins the sandbox's key in the verifier and adds its authority as a test authority, so that the sandbox's sample files can be
 * verified and rehearsed. The verifier stays open.
 */
export async function setUpAuthority(
  extension: Extension,
  { origin, publicKey, controlToken }: RunningAuthority,
): Promise<void> {
  const verifier = await openPage(extension, 'verifier.html');
  await pinTestKey(verifier, publicKey.pem);
  const options = await openPage(extension, 'options.html');
  await addAuthority(options, {
    name: 'Sandbox authority',
    address: origin,
    controlToken,
    keys: ['Sandbox'],
  });
  await options.close();
  await verifier.reload();
}
