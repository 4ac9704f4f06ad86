/** Returns what was chosen on the site; null if nothing was, or if the browser stores nothing for sites. */
export function readChoice(name: 'language' | 'theme'): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores what was chosen on the site; if the browser stores nothing for sites, it lasts only as long as the page. */
export function keepChoice(name: 'language' | 'theme', value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice already applies to this page.
  }
}
