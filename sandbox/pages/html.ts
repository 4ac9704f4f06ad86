import type { HtmlEscapedString } from 'hono/utils/html';

/** A piece of a page, escaped where it was made. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
