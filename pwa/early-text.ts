/** The field of the static page, as it was when the program took the page over. */
interface EarlyText {
  readonly text: string;
  readonly isFocused: boolean;
  readonly start: number;
  readonly end: number;
}

/** Reads the field of the static page, which is painted and takes text before the program runs. */
export function readEarlyText(): EarlyText | undefined {
  const field = document.querySelector<HTMLTextAreaElement>('#license');
  if (field === null) return undefined;
  const { value: text, selectionStart: start, selectionEnd: end } = field;
  return { text, isFocused: document.activeElement === field, start, end };
}

/** Gives the program's own field the focus and the selection that the static one had. Call it when its text is drawn. */
export function focusAsBefore({ isFocused, start, end }: EarlyText): void {
  const field = document.querySelector('textarea');
  if (!isFocused || field === null) return;
  field.focus();
  field.setSelectionRange(start, end);
}
