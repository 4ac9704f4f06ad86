/** Gives the agent a file to keep, made on this page; nothing is sent anywhere. */
export function saveFile({
  name,
  type,
  content,
}: {
  name: string;
  type: string;
  content: string;
}): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken hold of it by the next task or two; a minute is more than any of them needs.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}
