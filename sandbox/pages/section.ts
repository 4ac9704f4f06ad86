import type { Html } from '#sandbox/pages/html';

/** Describes one part of the page at `/`. Others than the seller API add theirs through `Sandbox.addSection`. */
export interface Section {
  /** Of the element, to be linked to. */
  readonly id: string;
  readonly title: string;
  /** Called for each request. */
  readonly body: (seen: { readonly origin: string }) => Html;
}
