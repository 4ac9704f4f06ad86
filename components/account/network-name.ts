/** Names that are more than their key with a capital letter. */
const spellings: Readonly<Record<string, string>> = {
  x: 'X',
  twitter: 'X (Twitter)',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
  github: 'GitHub',
  gitlab: 'GitLab',
  tiktok: 'TikTok',
  whatsapp: 'WhatsApp',
  deviantart: 'DeviantArt',
  soundcloud: 'SoundCloud',
  stackoverflow: 'Stack Overflow',
  vk: 'VK',
};

/** Names a social network for people. The set is open (spec section 2): an unknown name is shown as it was sent. */
export function networkName(network: string): string {
  const key = network.toLowerCase();
  if (Object.hasOwn(spellings, key)) return spellings[key] ?? network;
  return network.charAt(0).toUpperCase() + network.slice(1);
}
