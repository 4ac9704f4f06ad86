/** Lists the letters that are pressed with Alt, by what they do. Firefox and Chromium have no menu under them. */
export const shortcutKeys = { summary: 'C', reply: 'R', connection: 'N', recent: 'L' } as const;

export type ShortcutAction = keyof typeof shortcutKeys;

/** Returns what a key press asks for; undefined for any other key. */
export function actionOf(event: KeyboardEvent): ShortcutAction | 'help' | undefined {
  if (event.ctrlKey || event.metaKey || event.isComposing) return undefined;
  if (event.key === '?' && !event.altKey) return takesText(event.target) ? undefined : 'help';
  if (!event.altKey || event.getModifierState('AltGraph')) return undefined;
  // With Alt, some keyboards type another sign: the place of the key then counts.
  const letter = /^[a-z]$/iu.test(event.key) ? event.key : event.code.replace(/^Key/u, '');
  return (Object.keys(shortcutKeys) as ShortcutAction[]).find(
    (action) => shortcutKeys[action] === letter.toUpperCase(),
  );
}

/** Tells whether a sign would be typed into the element. No code begins with a question mark: the empty code field takes none. */
function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLTextAreaElement && target.id === 'code') return target.value !== '';
  return (
    target.isContentEditable ||
    target.matches('textarea, select, input:not([type=radio]):not([type=checkbox])')
  );
}
