/** Returns what was chosen on the site; null for nothing, and where the browser keeps nothing for sites. */
export function readChoice(name: 'language' | 'theme'): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps what was chosen on the site, for as long as the page where the browser keeps nothing for sites. */
export function keepChoice(name: 'language' | 'theme', value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // What was chosen is in effect already.
  }
}
