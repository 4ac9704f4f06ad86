import type { Component } from 'vue';

/** Describes one link of a `SidebarPage`. */
export interface PageLink {
  readonly href: string;
  readonly title: string;
  readonly icon: Component;
  /** `page`: another view of this page; `true`: a part of what is in view. */
  readonly current?: 'page' | 'true' | undefined;
  /** Opens a tab of its own. */
  readonly newTab?: boolean;
  /** Runs instead of following the link. */
  readonly open?: () => void;
}
