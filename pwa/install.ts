import { shallowRef } from 'vue';

/** The browser's offer to install the site, which is not in any type library yet. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

/**
 * Installs the site after the browser's own prompt; undefined if the browser does not offer it or has already installed
 * it.
 */
export const install = shallowRef<() => void>();

/** Keeps the browser's offer until the page's button is pressed. */
export function watchInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    install.value = () => {
      install.value = undefined;
      void (event as InstallOffer).prompt();
    };
  });
  addEventListener('appinstalled', () => {
    install.value = undefined;
  });
}
