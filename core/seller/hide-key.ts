import { minSearchedKeyLength } from '#core/connections/api-key';

/**
 * Replaces the API key by dots in each text of what was read from a reply, since a server may repeat the key that it was sent:
 * the key does not leave the worker. A key of fewer than 12 characters is not looked for, nor an encoded one.
 * @param read JSON; returned as it is where the key is not in it
 */
export function hideKey<T>(read: T, apiKey: string): T {
  const json = JSON.stringify(read);
  if (apiKey.length < minSearchedKeyLength || !json.includes(JSON.stringify(apiKey).slice(1, -1)))
    return read;
  return JSON.parse(json, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(apiKey, '••••') : value,
  ) as T;
}
