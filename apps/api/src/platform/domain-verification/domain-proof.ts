import { Resolver } from 'node:dns/promises';
import { request } from 'node:https';
import { BlockList, isIP } from 'node:net';

/** Private, local and reserved addresses (IANA's registries for IPv4). */
const special = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special.addSubnet(address, bits, 'ipv4');
// Exceptions in IPv6's one routed range: documentation, and tunnels to IPv4 addresses.
special.addSubnet('2001:db8::', 32, 'ipv6');
special.addSubnet('2001::', 32, 'ipv6');
special.addSubnet('2002::', 16, 'ipv6');
const routed = new BlockList();
routed.addSubnet('2000::', 3, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  return family === 6 && routed.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

export type ProofResult =
  | { method: 'dns' | 'page' }
  | { problem: 'not-found' | 'unreachable' | 'private' | 'elsewhere' | 'too-large' };

export type Proof = {
  domain: string;
  names: readonly string[];
  record: string;
  tagName: string;
  token: string;
};

export type ProofOptions = {
  servers?: readonly string[];
  port?: number;
  ca?: string;
  allows?: (address: string) => boolean;
};

const dnsMs = 3_000;
const dnsTries = 2;
const pageMs = 6_000;
const pageBytes = 512 * 1024;
const redirectsMax = 3;

class DomainProofError extends Error {
  readonly problem: Extract<ProofResult, { problem: string }>['problem'];
  constructor(problem: DomainProofError['problem']) {
    super(problem);
    this.problem = problem;
  }
}

/** Connects only to the public address that was checked, against DNS rebinding. */
export async function findDomainProof(proof: Proof, options: ProofOptions = {}): Promise<ProofResult> {
  const resolver = new Resolver({ timeout: dnsMs, tries: dnsTries });
  if (options.servers) resolver.setServers([...options.servers]);
  try {
    if (await isInDns(resolver, proof)) return { method: 'dns' };
    const page = await readPage(resolver, proof.domain, options);
    return hasTag(page, proof) ? { method: 'page' } : { problem: 'not-found' };
  } catch (error) {
    if (error instanceof DomainProofError) return { problem: error.problem };
    return { problem: 'unreachable' };
  }
}

async function isInDns(resolver: Resolver, { names, record }: Proof): Promise<boolean> {
  for (const name of names) {
    // The page is tried if the name has no records or its server doesn't respond.
    const records = await resolver.resolveTxt(name).catch(() => []);
    if (records.some((parts) => parts.join('').trim() === record)) return true;
  }
  return false;
}

async function readPage(resolver: Resolver, domain: string, options: ProofOptions): Promise<string> {
  let url = new URL(`https://${domain}${options.port ? `:${options.port}` : ''}/`);
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const answer = await readOnce(url, await publicAddressOf(resolver, url.hostname, options), options);
    if ('text' in answer) return answer.text;
    const next = URL.canParse(answer.location, url.href) ? new URL(answer.location, url) : null;
    const isWithin = next?.hostname === domain || next?.hostname.endsWith(`.${domain}`);
    if (next?.protocol !== 'https:' || !isWithin || next.port !== url.port)
      throw new DomainProofError('elsewhere');
    url = next;
  }
  throw new DomainProofError('elsewhere');
}

async function publicAddressOf(resolver: Resolver, host: string, options: ProofOptions): Promise<string> {
  const { allows = isPublicAddress } = options;
  const addresses = await Promise.all([
    resolver.resolve4(host).catch(() => []),
    resolver.resolve6(host).catch(() => []),
  ]);
  const [first, ...rest] = addresses.flat();
  if (first === undefined) throw new DomainProofError('unreachable');
  if (![first, ...rest].every(allows)) throw new DomainProofError('private');
  return first;
}

type Answer = { text: string } | { location: string };

function readOnce(url: URL, address: string, { ca }: ProofOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        // Connects to the checked address; the certificate is still for the name.
        hostname: address,
        servername: url.hostname,
        headers: {
          host: url.host,
          accept: 'text/html',
          'accept-encoding': 'identity',
          'user-agent': 'Nearhand',
        },
        signal: AbortSignal.timeout(pageMs),
        agent: false,
        ca,
      },
      (response) => {
        const { statusCode = 0, headers } = response;
        if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
          call.destroy();
          resolve({ location: headers.location });
          return;
        }
        if (statusCode !== 200) {
          call.destroy();
          reject(new DomainProofError('unreachable'));
          return;
        }
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          parts.push(part);
          if (bytes > pageBytes) {
            call.destroy();
            reject(new DomainProofError('too-large'));
          }
        });
        response.on('end', () => resolve({ text: Buffer.concat(parts).toString('utf8') }));
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end();
  });
}

/** Accepts any attribute order, but no tag inside a comment. */
function hasTag(page: string, { tagName, token }: Proof): boolean {
  const tags = page.replace(/<!--[\s\S]*?-->/g, '').match(/<meta\s[^>]*>/gi) ?? [];
  const attribute = (tag: string, name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'i')
      .exec(tag)
      ?.slice(1)
      .find(Boolean);
  return tags.some(
    (tag) => attribute(tag, 'name')?.toLowerCase() === tagName && attribute(tag, 'content')?.trim() === token,
  );
}
