import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Contest } from '#bench/peers/contest';
import { openPopup } from '#bench/popup-opening';
import { bareBuild, bareId } from '#bench/setup';
import { chromiumBuild, launchExtension, openPage } from '#scripts/running/extension';

/** A popup in a tab, until its first frame. Both extensions have a process. */
export const popupPainted: Contest = {
  work: 'popup, first paint',
  unit: 'ms',
  goal: 'quicker than what does as much',
  async prepare({ extension: { context, id } }) {
    const held = await openPage({ context, id: bareId }, 'popup.html');
    const painted = (extension: string, page: string) => async (): Promise<number> =>
      (await openPopup(context, `chrome-extension://${extension}/${page}`)).paint;
    return {
      ours: painted(id, 'popup.html'),
      peers: { 'Vue and one field': painted(bareId, 'vue.html') },
      close: () => held.close(),
    };
  },
};

/** A browser on an empty profile that loads one extension, until its worker runs. The browser's own start is in it. */
export const installed: Contest = {
  work: 'browser started with the extension, until its worker runs',
  unit: 'ms',
  goal: 'quicker than what does as much',
  prepare: ({ executablePath }) => {
    const started = (build: string) => async (): Promise<number> => {
      const profile = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
      const began = performance.now();
      const { context } = await launchExtension(profile, { executablePath, headless: true, build });
      const taken = performance.now() - began;
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
      return taken;
    };
    return Promise.resolve({
      ours: started(chromiumBuild),
      peers: { 'Vue and one field': started(bareBuild) },
      close: () => Promise.resolve(),
    });
  },
};
