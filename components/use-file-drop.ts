import { onMounted, onScopeDispose, type Ref, ref } from 'vue';

interface DropTargets {
  /** Takes files that are dropped anywhere. What lies in the transfer must be read before the first `await`. */
  readonly files: (transfer: DataTransfer) => void;
  /** Takes text that is dropped outside of a field; a field keeps what is dropped into it. */
  readonly text?: (text: string) => void;
}

/**
 * Makes the whole page a drop target. A file dropped beside a smaller target would replace the page.
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
    // Null when the pointer has left the page, an element when it only went on to that one.
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
