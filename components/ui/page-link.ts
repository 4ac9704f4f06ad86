import type { Component } from 'vue';

/** A link of a `SidebarPage` to a view of the same page. */
export interface PageLink {
  readonly href: string;
  readonly title: string;
  readonly icon: Component;
  readonly current: boolean;
  /** The sections of a long view; the one in sight is marked. */
  readonly sections?: readonly {
    readonly href: string;
    readonly title: string;
    readonly current: boolean;
  }[];
}
