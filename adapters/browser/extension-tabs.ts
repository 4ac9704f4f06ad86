/** The browser's `tabs`, as far as it is used here. */
interface TabsApi {
  create(tab: { url: string; active: boolean }): Promise<{ id?: number | undefined }>;
  update(tab: { url: string }): Promise<{ id?: number | undefined } | undefined>;
}

/** Which tab shows a page: the one in front, a new one, or a new one behind it. */
export type Where = 'here' | 'new' | 'behind';

export interface ExtensionTabs {
  /** Shows one of the extension's own pages. Gives the id of its tab. */
  open(path: `/${string}`, where: Where): Promise<number | undefined>;
}

/**
 * Creates what opens the extension's own pages in tabs.
 * @param root the extension's own address, without a slash at the end
 */
export function createExtensionTabs(tabs: TabsApi, root: string): ExtensionTabs {
  return {
    async open(path, where) {
      const url = root + path;
      const tab =
        where === 'here'
          ? await tabs.update({ url })
          : await tabs.create({ url, active: where === 'new' });
      return tab?.id;
    },
  };
}
