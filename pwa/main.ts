import { createApp, h } from 'vue';

import { trustScript } from '#adapters/trusted-scripts';

void trustScript(new URL('service-worker.js', document.baseURI).href);
createApp({ render: () => h('h1', 'x') }).mount('#app');
