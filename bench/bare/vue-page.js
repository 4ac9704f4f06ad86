import { createApp, h } from 'vue';

const field = () =>
  h('input', { 'aria-label': 'Purchase code', onVnodeMounted: ({ el }) => el.focus() });

createApp({ render: field }).mount('#app');
