import { useCheck } from '#stores/check/check';
import { useConnections } from '#stores/connections/connections';
import { usePort } from '#stores/ports';
import { waitingTextPort } from '#stores/ticket/ports';

/**
 * Returns a function that checks, once, the text that was waiting for a first connection, unless the field already has
 * a text. It resolves to whether it did. Call this in a component's setup.
 */
export function useWaitingText(): () => Promise<boolean> {
  const waiting = usePort(waitingTextPort);
  const check = useCheck();
  const connections = useConnections();
  const isFree = (): boolean => check.draft === '';

  return async () => {
    if ((connections.list?.length ?? 0) === 0 || !isFree()) return false;
    const text = await waiting.take();
    if (text === undefined || !isFree()) return false;
    check.replaceText(text, true);
    await check.submit();
    return true;
  };
}
