import type { LinkedFiles } from '#adapters/browser/linked-files';
import type { ReplyFields } from '#adapters/browser/reply-fields';
import type { AskedContent } from '#adapters/browser/waiting-files';
import type { ChosenLink } from '#background/ticket/menus';
import type { Sites } from '#background/ticket/sites';
import { type Result, fail, omitUndefined } from '#core/result';
import type { Body } from '#messaging/index';
import { type LinkedFile, type LinkedFileFault, linkedFileName } from '#core/verifier/index';
import { siteOriginOf } from '#core/preferences/index';

interface LinkInspectionDependencies {
  readonly sites: Pick<Sites, 'find'>;
  readonly linkedFiles: LinkedFiles;
  readonly replyFields: Pick<ReplyFields, 'addressInFront'>;
  readonly openInVerifier: (content: AskedContent) => Promise<void>;
}

export interface LinkInspection {
  readonly inspectLink: (link: ChosenLink) => Promise<void>;
  /** Inspects files that the page in front links to. If some could not be fetched, the first of those is reported. */
  readonly inspectAttached: (body: Body<'ticket.inspect'>) => Promise<null>;
}

/**
 * Creates the functions that fetch linked files for the verifier. A link is followed only from a page of an allowed
 * site to the same origin, and only the site's cookies are sent.
 */
export function createLinkInspection({
  sites,
  linkedFiles,
  replyFields,
  openInVerifier,
}: LinkInspectionDependencies): LinkInspection {
  async function fetchFrom({
    address,
    tabId,
    pageUrl = '',
    frameUrl = '',
    frameId: frameOfLink,
  }: ChosenLink): Promise<Result<LinkedFile, LinkedFileFault>> {
    const origin = siteOriginOf(address);
    // The page itself fetches it, or else the frame with the link.
    const inFrame = siteOriginOf(frameUrl) === origin ? frameOfLink : undefined;
    const frameId = siteOriginOf(pageUrl) === origin ? 0 : inFrame;
    if (origin === undefined || frameId === undefined || (await sites.find(origin)) === undefined)
      return fail('elsewhere');
    return linkedFiles.fetch(address, { tabId, frameId, origin });
  }

  async function read(link: ChosenLink): Promise<AskedContent> {
    const fetched = await fetchFrom(link);
    return fetched.ok
      ? { files: [{ name: fetched.value.name, file: new Blob([fetched.value.bytes]) }] }
      : { notFetched: { name: nameOf(link.address), kind: fetched.fault } };
  }

  return {
    inspectLink: async (link) => openInVerifier(await read(link)),
    async inspectAttached({ tabId, files }) {
      const pageUrl = await replyFields.addressInFront(tabId);
      const fetched = await Promise.all(files.map((address) => read({ address, tabId, pageUrl })));
      const { notFetched } = fetched.find((each) => each.notFetched !== undefined) ?? {};
      await openInVerifier(
        omitUndefined({ files: fetched.flatMap((each) => each.files ?? []), notFetched }),
      );
      return null;
    },
  };
}

function nameOf(address: string): string {
  return URL.canParse(address) ? linkedFileName(null, address) : '';
}
