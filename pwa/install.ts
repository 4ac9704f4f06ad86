import { shallowRef } from 'vue';

/** The browser's offer to install the site, which no type library has yet. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

/** Installs the site, after the browser has asked; undefined where the browser does not offer it, or did it already. */
export const install = shallowRef<() => void>();

/** Keeps the browser's offer for the button of the page. */
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
