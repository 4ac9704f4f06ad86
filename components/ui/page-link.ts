import type { Component } from 'vue';

/** One link of a `SidebarPage`: to a view of this page. */
export interface PageLink {
  readonly href: string;
  readonly title: string;
  readonly icon: Component;
  readonly current: boolean;
  /** The sections of a long view, of which one is in sight. */
  readonly sections?: readonly {
    readonly href: string;
    readonly title: string;
    readonly current: boolean;
  }[];
}
