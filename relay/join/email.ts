/** Spells an e-mail address as it is compared: of letters that fold into ASCII only those of ASCII do, so that nobody else's matches. */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Tells whether text has the form of an e-mail address: one @ between two words. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}
