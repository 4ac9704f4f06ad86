/* global chrome */
chrome.runtime.onMessage.addListener((message, sender, reply) => {
  reply(message);
});
