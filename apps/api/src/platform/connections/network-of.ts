import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '../config/config.ts';
import { callerNetwork } from '../http/caller-network.ts';

type Trusting = Pick<Config, 'TRUST_PROXY'>;

export function proxiesOf({ TRUST_PROXY }: Trusting): (address: string) => boolean {
  const trusts = proxyAddr.compile(TRUST_PROXY ?? []);
  return (address) => trusts(address, 0);
}

/** The client's network behind our proxies, for requests Fastify does not see, such as socket upgrades. */
export function networkOf(config: Trusting): (request: IncomingMessage) => string {
  const trusts = proxyAddr.compile(config.TRUST_PROXY ?? []);
  return (request) => callerNetwork(proxyAddr(request as never, trusts));
}
