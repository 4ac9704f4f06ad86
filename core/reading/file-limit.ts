/**
 * The largest file that is read. This is a separate module so that pages which only show the limit do not load the
 * reader.
 */
export const fileLimitBytes = 256 * 1024;
