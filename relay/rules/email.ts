/** Spells an e-mail address as it is compared: of letters that fold into ASCII only those of ASCII do, so that nobody else's matches. */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
