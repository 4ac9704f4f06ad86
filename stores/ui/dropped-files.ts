/** A file whose content has not been read yet. */
export interface NamedFile {
  /** Includes the path if the file came from a folder. */
  readonly name: string;
  readonly file: File;
}

export interface DroppedFiles {
  readonly files: readonly NamedFile[];
  /** Whether there were more files than are opened at once. */
  readonly cut: boolean;
}
