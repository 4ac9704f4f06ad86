/** Makes a method of a synchronous read; a throw becomes a rejection. */
export function reading<A extends readonly unknown[], T>(
  read: (...args: A) => T,
): (...args: A) => Promise<T> {
  return (...args) =>
    new Promise((resolve) => {
      resolve(read(...args));
    });
}
