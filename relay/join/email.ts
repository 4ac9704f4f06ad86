/** Folds an e-mail address for comparison. Only ASCII letters are folded into ASCII, so that nobody else's address matches. */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Tells whether text has the form of an e-mail address: one @ between two words. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}
