import type { Component, InjectionKey } from 'vue';

/**
 * The verifier's views that send requests to an authority. Only the extension provides them, since the site sends no
 * requests.
 */
export interface AuthorityViews {
  /** A component with the prop `inspection`. */
  readonly ask: Component;
}
export const authorityViews: InjectionKey<AuthorityViews> = Symbol('authority views');
