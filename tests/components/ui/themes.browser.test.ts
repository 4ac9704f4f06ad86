import { expect, test } from 'vitest';

import Toggle from '#components/ui/Toggle.vue';
import { mounting } from '#tests/components/mounted';

test('a change of the theme is seen at once: nothing fades from one to the other', async () => {
  mounting(Toggle, { script: {}, props: { modelValue: true, label: 'Show pictures' } });
  for (const kind of ['', 'primary', 'quiet', 'danger']) {
    const button = document.createElement('button');
    button.className = `button ${kind}`;
    button.textContent = 'Check';
    document.body.append(button);
  }
  const { dataset } = document.documentElement;
  const colours = (): string[] =>
    [...document.querySelectorAll('.button, input')].map(
      (element) => getComputedStyle(element).backgroundColor,
    );
  dataset['theme'] = 'light';
  const light = colours();
  await new Promise(requestAnimationFrame);
  dataset['theme'] = 'dark';
  expect(colours()).not.toEqual(light);
  expect(document.getAnimations()).toEqual([]);
  delete dataset['theme'];
});
