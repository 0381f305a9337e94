import { isIP } from 'node:net';

/**
 * What rate limits count a network address as. One IPv6 address comes with the 64 bits of its network, too many to count, so the network
 * counts as one (ADR 0125). An IPv4-mapped address is the IPv4 address.
 */
export function callerNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const plain = address.split('%', 1)[0]?.toLowerCase() ?? '';
  const inner = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (inner) return inner;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - before.length - behind.length)).fill('0');
  const groups = [...before, ...zeros, ...behind].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
