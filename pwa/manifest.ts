import type { ManifestOptions } from 'vite-plugin-pwa';

const licenseFiles = {
  'text/plain': ['.lic', '.license', '.key', '.cert', '.jwt', '.txt'],
  'application/json': ['.json'],
  'application/octet-stream': ['.lic', '.license', '.key', '.cert'],
};

/**
 * The site's web app manifest. Its addresses are relative, so that the site works at any sub-path. It has no `id`,
 * which would be the same for every copy on a host; without one the app is identified by `start_url` with its path.
 */
export const manifest: Partial<ManifestOptions> = {
  name: 'Counterfoil Verifier',
  short_name: 'Verifier',
  description:
    'Tells whether a license file is genuine and where its installation stands, offline.',
  lang: 'en',
  start_url: './',
  scope: './',
  display: 'standalone',
  theme_color: '#4a55c8',
  background_color: '#f9f9fc',
  categories: ['utilities', 'productivity', 'security'],
  icons: [
    { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { src: 'icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: 'icon-maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
    { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  screenshots: [
    {
      src: 'screenshot-wide.png',
      sizes: '1280x800',
      type: 'image/png',
      form_factor: 'wide',
      label: 'A license file, judged offline',
    },
    {
      src: 'screenshot-narrow.png',
      sizes: '780x1688',
      type: 'image/png',
      form_factor: 'narrow',
      label: 'The same on a phone',
    },
  ],
  file_handlers: [{ action: './', accept: licenseFiles }],
  // A file or share opens in the existing window and replaces its results.
  launch_handler: { client_mode: ['navigate-existing', 'auto'] },
  share_target: {
    action: './share-target',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'title',
      text: 'text',
      url: 'url',
      files: [
        {
          name: 'files',
          accept: [
            'text/plain',
            'application/json',
            'application/octet-stream',
            ...Object.values(licenseFiles).flat(),
          ],
        },
      ],
    },
  },
};
