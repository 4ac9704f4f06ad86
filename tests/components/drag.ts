/** Sends a drag event with files or a text to an element. Returns whether the page takes it, instead of the browser. */
export function drag(type: string, target: Element, ...contents: (File | string)[]): boolean {
  const dataTransfer = new DataTransfer();
  for (const content of contents)
    if (typeof content === 'string') dataTransfer.setData('text/plain', content);
    else dataTransfer.items.add(content);
  const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
  target.dispatchEvent(event);
  return event.defaultPrevented;
}
