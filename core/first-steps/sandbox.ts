/** The port of the sandbox's seller API, unless it is started with another. */
export const sandboxPort = 8787;

const origin = `http://127.0.0.1:${String(sandboxPort)}`;

/** The sandbox's demo shop as a connection. Its key is random, generated and printed at the first start. */
export const sandboxShop = { name: 'Sandbox', baseAddress: `${origin}/demo` } as const;

/** The address of the sandbox's page, with sample codes and public keys to copy. */
export const sandboxPage = `${origin}/`;

export function isSandbox(baseAddress: string): boolean {
  return baseAddress.startsWith(sandboxPage);
}
