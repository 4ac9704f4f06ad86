/* global chrome */
/** The connection of the bare check: its address, and its key as ciphertext under a key that cannot be exported. */
let connection;

async function keep({ address, apiKey }) {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const encrypted = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    key,
    new TextEncoder().encode(apiKey),
  );
  connection = { address, key, iv, encrypted };
}

/** Asks for the permission and decrypts the key side by side, then asks the server. */
async function check(code) {
  const { address, key, iv, encrypted } = connection;
  const [allowed, apiKey] = await Promise.all([
    chrome.permissions.contains({ origins: ['http://127.0.0.1/*'] }),
    crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, encrypted),
  ]);
  if (!allowed) throw new Error('The origin is not granted.');
  const response = await fetch(`${address}/api/purchases/validation`, {
    method: 'POST',
    body: new URLSearchParams({ api_key: new TextDecoder().decode(apiKey), purchase_code: code }),
  });
  return response.json();
}

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (message.keep !== undefined) void keep(message.keep).then(() => reply(true));
  else if (message.check !== undefined) void check(message.check).then(reply);
  else reply(message);
  return true;
});
