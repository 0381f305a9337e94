import { isIP } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import { minuteMs } from '@nearhand/contract/durations';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

const callersKept = 50_000;

const tooMany = (retryAfterSeconds: number): Error => new AppError('request/too-many', { retryAfterSeconds });

/**
 * Limits what one network may ask of routes that know no session: `max` requests a minute each, or what a route's own limit says.
 * @param refusal the failure of one request too many
 */
export async function limitNetworks(
  site: FastifyInstance,
  max: number,
  refusal: (retryAfterSeconds: number) => Error = tooMany,
): Promise<void> {
  await site.register(rateLimit, {
    max,
    timeWindow: minuteMs,
    cache: callersKept,
    keyGenerator: (request: FastifyRequest) => callerNetwork(request.ip),
    errorResponseBuilder: (_request: FastifyRequest, context: { ttl: number }) =>
      refusal(Math.ceil(context.ttl / 1_000)),
  } as never);
}

/** Some proxies add the caller's port, which is another one with each connection. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\]):\d+$/;

/**
 * What rate limits count a network address as. One IPv6 address comes with the 64 bits of its network, too many to count, so the network
 * counts as one (ADR 125). An IPv4-mapped address is the IPv4 address. What is no address counts as one, however it is written.
 */
export function callerNetwork(given: string): string {
  const [, v4, v6] = withPort.exec(given) ?? [];
  const address = v4 ?? v6 ?? given;
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
