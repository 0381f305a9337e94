import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Counts the open sockets of each network from the first byte on, greeted or not, so that a burst counts too.
 * @param most sockets of one network on this process
 * @returns whether one more may open; it counts until its connection closes
 */
export function createSocketCap(
  most: number,
  networkOf: (request: IncomingMessage) => string,
): (request: IncomingMessage & { socket: Socket }) => boolean {
  const open = new Map<string, number>();
  return (request) => {
    const network = networkOf(request);
    const count = open.get(network) ?? 0;
    if (count >= most) return false;
    open.set(network, count + 1);
    request.socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
    return true;
  };
}
