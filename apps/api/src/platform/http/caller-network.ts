import { isIP } from 'node:net';

const countedAlready = /^(?:[0-9a-f]{1,4}:){4}:\/64$/;

/** Wider networks count too: a customer easily gets a /48 of IPv6, and a /24 of IPv4 has 256 households. */
export function countedNetworks(address: string): { network: string; share: number }[] {
  const network = countedAlready.test(address) ? address : callerNetwork(address);
  if (network === 'unknown') return [{ network, share: 1 }];
  if (!network.endsWith('::/64'))
    return [
      { network, share: 1 },
      { network: `${network.split('.').slice(0, 3).join('.')}.0/24`, share: 16 },
    ];
  const [a = '', b = '', c = '', d = ''] = network.slice(0, -'::/64'.length).split(':');
  const block = (Number.parseInt(d, 16) & 0xff00).toString(16);
  return [
    { network, share: 1 },
    { network: `${a}:${b}:${c}:${block}::/56`, share: 2 },
    { network: `${a}:${b}:${c}::/48`, share: 4 },
  ];
}

/** Some proxies add the caller's port, which differs per connection. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\]):\d+$/;

/** Counts IPv6 by its /64 network (ADR 125), and all invalid addresses as one. */
export function callerNetwork(text: string): string {
  const [, v4, v6] = withPort.exec(text) ?? [];
  const address = v4 ?? v6 ?? text;
  const kind = isIP(address);
  if (kind !== 6) return kind === 4 ? address : 'unknown';
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
