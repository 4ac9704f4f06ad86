/** The most that is read of a file. Apart from what reads it, since pages that only tell the limit would load all of that. */
export const fileLimitBytes = 256 * 1024;
