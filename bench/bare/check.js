/* global chrome */
const field = document.querySelector('input');
const verdict = document.getElementById('verdict');

field.addEventListener('keydown', async ({ key }) => {
  if (key !== 'Enter') return;
  const { status } = await chrome.runtime.sendMessage({ check: field.value });
  verdict.dataset.verdict = status;
});
