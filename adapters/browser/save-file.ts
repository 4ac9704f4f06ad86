/** Saves a file as a browser download, without sending it anywhere. */
export function saveFile({
  name,
  type,
  content,
}: {
  name: string;
  type: string;
  content: string | readonly Uint8Array<ArrayBuffer>[];
}): void {
  const address = URL.createObjectURL(
    new Blob(typeof content === 'string' ? [content] : [...content], { type }),
  );
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download starts in a later task and needs the address until then.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}
