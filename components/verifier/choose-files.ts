/**
 * Opens the browser's own file picker, for what has no field of its own on the page. Must be called in the task of a click.
 * Resolves to nothing when the agent closes it.
 */
export function chooseFiles({
  accept = '',
  multiple = true,
  folder = false,
}: {
  accept?: string;
  multiple?: boolean;
  folder?: boolean;
}): Promise<File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  input.multiple = multiple;
  input.webkitdirectory = folder;
  return new Promise((done) => {
    input.addEventListener('change', () => {
      done(Array.from(input.files ?? []));
    });
    input.addEventListener('cancel', () => {
      done([]);
    });
    input.click();
  });
}
