/** The browser's `launchQueue`, which no type library has yet. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { readonly files?: readonly FileHandle[] }) => void): void;
}

interface FileHandle {
  readonly kind: 'file' | 'directory';
  getFile?(): Promise<File>;
}

/** Opens files that the operating system hands over, at the start and while the window is open. */
export function openLaunchedFiles(
  open: (files: readonly { readonly name: string; readonly file: File }[]) => void,
): void {
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files = [] }) => {
    void Promise.all(files.map(fileOf)).then((read) => {
      const opened = read.flatMap((file) =>
        file === undefined ? [] : [{ name: file.name, file }],
      );
      if (opened.length > 0) open(opened);
    });
  });
}

async function fileOf(handle: FileHandle): Promise<File | undefined> {
  return handle.getFile?.().catch(() => undefined);
}
