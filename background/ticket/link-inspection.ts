import type { LinkedFiles } from '#adapters/browser/linked-files';
import type { AskedContent } from '#adapters/storage/waiting-files';
import type { ChosenLink } from '#background/ticket/menus';
import type { Sites } from '#background/ticket/sites';
import { fail, type Result } from '#core/result';
import { fileNameOf, type LinkedFile, type LinkedFileFault } from '#core/ticket/linked-file';
import { siteOriginOf } from '#core/ticket/site';

interface LinkInspectionDependencies {
  readonly sites: Pick<Sites, 'find'>;
  readonly linkedFiles: LinkedFiles;
  readonly openInVerifier: (content: AskedContent) => Promise<void>;
}

/**
 * Returns what hands a link's file to the verifier. A link is followed only from a page of an allowed site to that site's own
 * origin, and nothing but the site's cookies goes along.
 */
export function createLinkInspection({
  sites,
  linkedFiles,
  openInVerifier,
}: LinkInspectionDependencies): (link: ChosenLink) => Promise<void> {
  async function fetchFrom(link: ChosenLink): Promise<Result<LinkedFile, LinkedFileFault>> {
    const origin = siteOriginOf(link.address);
    const frameId = origin === undefined ? undefined : frameOf(link, origin);
    if (origin === undefined || frameId === undefined) return fail('elsewhere');
    if ((await sites.find(origin)) === undefined) return fail('elsewhere');
    return linkedFiles.fetch(link.address, { tabId: link.tabId, frameId, origin });
  }

  return async (link) => {
    const fetched = await fetchFrom(link);
    await openInVerifier(
      fetched.ok
        ? { files: [{ name: fetched.value.name, file: new Blob([fetched.value.bytes]) }] }
        : { notFetched: { name: nameOf(link.address), kind: fetched.fault } },
    );
  };
}

/** Returns the frame of the tab that has this origin: the page itself, else the frame with the link. */
function frameOf(
  { pageUrl = '', frameUrl = '', frameId }: ChosenLink,
  origin: string,
): number | undefined {
  if (siteOriginOf(pageUrl) === origin) return 0;
  return siteOriginOf(frameUrl) === origin ? frameId : undefined;
}

function nameOf(address: string): string {
  return URL.canParse(address) ? fileNameOf(null, address) : '';
}
