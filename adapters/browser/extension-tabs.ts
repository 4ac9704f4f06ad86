/** The part of the browser's `tabs` that is used here. */
interface TabsApi {
  create(tab: { url: string; active: boolean }): Promise<{ id?: number | undefined }>;
  update(tab: { url: string }): Promise<{ id?: number | undefined } | undefined>;
}

/** Which tab to open a page in: the active one, a new one, or a new one in the background. */
export type Where = 'here' | 'new' | 'behind';

export interface ExtensionTabs {
  /** Shows one of the extension's own pages. Resolves to the id of its tab. */
  open(path: `/${string}`, where: Where): Promise<number | undefined>;
}

/**
 * Creates the opener of the extension's own pages.
 * @param root the extension's own address, without a trailing slash
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
