/** Verifies its share of the messages with bare WebCrypto, `depth` in flight. */
let share;

addEventListener('message', async ({ data }) => {
  if (data.messages !== undefined) share = data;
  else await verifyAll(data.depth);
  postMessage('done');
});

async function verifyAll(depth) {
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < share.messages.length; at = next++) {
      const { message, signature } = share.messages[at];
      if (!(await crypto.subtle.verify('Ed25519', share.publicKey, signature, message)))
        throw new Error('A signature of the benchmark itself is invalid.');
    }
  };
  await Promise.all(Array.from({ length: depth }, lane));
}
