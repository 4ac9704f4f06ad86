import type { Component, InjectionKey } from 'vue';

/**
 * The verifier's views that talk to an authority. Only the extension provides them: the site talks to no server.
 */
export interface AuthorityViews {
  /** Takes `inspection`. */
  readonly ask: Component;
}
export const authorityViews: InjectionKey<AuthorityViews> = Symbol('authority views');
