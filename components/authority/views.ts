import type { Component, InjectionKey } from 'vue';

/** The verifier's views that talk to an authority. The extension's page brings them along; the site, which may talk to nobody, does not. */
export interface AuthorityViews {
  /** Takes `inspection`. */
  readonly ask: Component;
  readonly rehearsal: Component;
}
export const authorityViews: InjectionKey<AuthorityViews> = Symbol('authority views');
