import { popupPageOf } from '#core/preferences/index';
import { devtoolsOf, type Extension, stopWorker, workerOf } from '#scripts/running/extension';
import { withQuietPage } from '#tests/support/quiet-page';

/**
 * Brings a running browser back to how it was started: one empty tab, nothing stored, granted or registered, and a
 * worker that has just been started.
 */
export async function emptyBrowser(extension: Extension): Promise<Extension> {
  const { context, id } = extension;
  const devtools = await devtoolsOf(extension);
  const opening = context.waitForEvent('page');
  // With the last tab of the old window goes the panel beside it.
  await devtools.send('Target.createTarget', { url: 'about:blank', newWindow: true });
  const tab = await opening;
  await Promise.all(
    context
      .pages()
      .filter((page) => page !== tab)
      .map((page) => page.close()),
  );
  await context.clearPermissions();
  await context.clearCookies();
  await context.setOffline(false);
  await stopWorker(extension);
  await withQuietPage(extension, async ({ page, ask }) => {
    const session = await context.newCDPSession(page);
    const [origin, storageTypes] = [`chrome-extension://${id}`, 'indexeddb,local_storage'];
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
    // The sandbox's own page, which names its keys, may lie there.
    await session.send('Network.clearBrowserCache');
    await session.detach();
    await page.evaluate(async (popup) => {
      await chrome.storage.local.clear();
      await chrome.storage.session.clear();
      await chrome.scripting.unregisterContentScripts();
      await chrome.alarms.clearAll();
      const rules = await chrome.declarativeNetRequest.getSessionRules();
      await chrome.declarativeNetRequest.updateSessionRules({
        removeRuleIds: rules.map((rule) => rule.id),
      });
      await chrome.action.setPopup({ popup });
      const { origins = [] } = await chrome.permissions.getAll();
      if (origins.length > 0) await chrome.permissions.remove({ origins });
    }, popupPageOf('system'));
    await ask('connections.list', {});
  });
  await devtools.detach();
  return { ...extension, worker: await workerOf(context, id) };
}
