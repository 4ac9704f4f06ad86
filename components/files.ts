import type { DroppedFiles, NamedFile } from '#stores/ui/dropped-files';
import { onMounted, onScopeDispose, type Ref, ref } from 'vue';

interface DropTargets {
  /** Receives files dropped anywhere on the page. The transfer must be read before the first `await`. */
  readonly files: (transfer: DataTransfer) => void;
  /** Receives text dropped outside a field; a field keeps text dropped into it. */
  readonly text?: (text: string) => void;
}

/**
 * Makes the whole page a drop target, since a file dropped outside a smaller target would replace the page.
 *
 * @returns whether files are held over the page
 */
export function useFileDrop({ files, text }: DropTargets): Readonly<Ref<boolean>> {
  const hovering = ref(false);

  function isTaken(event: DragEvent): boolean {
    const types = event.dataTransfer?.types ?? [];
    if (types.includes('Files')) return true;
    return text !== undefined && types.includes('text/plain') && !isField(event.target);
  }

  function onDragOver(event: DragEvent): void {
    if (event.dataTransfer === null || !isTaken(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    hovering.value = event.dataTransfer.types.includes('Files');
  }

  function onDragLeave(event: DragEvent): void {
    // Null if the pointer has left the page, or the element that it has moved to.
    if (event.relatedTarget === null) hovering.value = false;
  }

  function onDrop(event: DragEvent): void {
    hovering.value = false;
    if (event.dataTransfer === null || !isTaken(event)) return;
    event.preventDefault();
    if (event.dataTransfer.types.includes('Files')) files(event.dataTransfer);
    else text?.(event.dataTransfer.getData('text/plain'));
  }

  onMounted(() => {
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('drop', onDrop);
  });
  onScopeDispose(() => {
    removeEventListener('dragover', onDragOver);
    removeEventListener('dragleave', onDragLeave);
    removeEventListener('drop', onDrop);
  });
  return hovering;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea');
}

/** The most files taken from one drop; the page says if there were more. */
const maxFiles = 10_000;

/** Returns the files of a list: chosen, pasted, or a whole folder by `webkitdirectory`. */
export function listFiles(list: Iterable<File>): DroppedFiles {
  const files = Array.from(list, (file) => ({ name: file.webkitRelativePath || file.name, file }));
  return { files: files.slice(0, maxFiles), cut: files.length > maxFiles };
}

/**
 * Returns the files of a drop, including those in folders. Reads the drop before the first `await`, since browsers
 * empty it after the event.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<DroppedFiles> {
  const entries = Array.from(transfer.items, (item) =>
    item.kind === 'file' ? item.webkitGetAsEntry() : null,
  ).filter((entry) => entry !== null);
  if (entries.length === 0) return listFiles(transfer.files);
  const files: NamedFile[] = [];
  for (const entry of entries) await walk(entry, files);
  return { files: files.slice(0, maxFiles), cut: files.length > maxFiles };
}

async function walk(entry: FileSystemEntry, into: NamedFile[]): Promise<void> {
  if (into.length > maxFiles) return;
  if (isFile(entry)) {
    const file = await new Promise<File | undefined>((done) => {
      entry.file(done, () => {
        done(undefined);
      });
    });
    into.push(file === undefined ? unreadable(entry) : { name: nameOf(entry), file });
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((done) => {
        reader.readEntries(done, () => {
          into.push(unreadable(entry));
          done([]);
        });
      });
      if (some.length === 0) return;
      for (const each of some) await walk(each, into);
    }
  }
}

/** Makes the row of a file, or the rest of a folder, that cannot be opened. */
function unreadable(entry: FileSystemEntry): NamedFile {
  return { name: nameOf(entry), file: new File([], entry.name) };
}

function nameOf({ fullPath }: FileSystemEntry): string {
  return fullPath.replace(/^\//u, '');
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/**
 * Opens the browser's file picker without a field on the page. Must be called in the task of a click. Resolves to no
 * files if the agent closes it.
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
