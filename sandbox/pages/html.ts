import type { HtmlEscapedString } from 'hono/utils/html';

/** Holds a piece of a page, escaped where it was made. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
