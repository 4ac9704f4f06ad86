/** Whether a key or a code may travel there: https, or http that does not leave the machine. Source: design, "Trust", The network. */
export function isSafeOrigin({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1';
}

/**
 * The match pattern whose permission covers an address. Match patterns carry no port.
 * @param address absolute, such as a base address as `parseBaseAddress` normalised it.
 */
export function originPattern(address: string): string {
  const { protocol, hostname } = new URL(address);
  return `${protocol}//${hostname}/*`;
}
