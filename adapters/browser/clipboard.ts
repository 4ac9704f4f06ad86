/** Copies text to the clipboard. Returns false if the browser refuses: no focus, or no user gesture. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
