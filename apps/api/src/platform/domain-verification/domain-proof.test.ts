import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testCertificate } from '../test-services/test-certificate.fixtures.ts';
import { startDnsServer, type Zone } from './dns-server.fixtures.ts';
import { findDomainProof, isPublicAddress, type ProofOptions } from './domain-proof.ts';

const zone: Zone = new Map();
const { key, cert } = testCertificate(['proof.test', 'www.proof.test']);
let serve: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
  response.end();
const site = createServer({ key, cert }, (request, response) => serve(request, response));
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let options: ProofOptions;

beforeAll(async () => {
  dns = await startDnsServer(zone);
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  options = { servers: [dns.address], port, ca: cert, allows: (address) => address === '127.0.0.1' };
});
afterAll(() => {
  dns.close();
  site.close();
});
beforeEach(() => {
  zone.clear();
  zone.set('proof.test', { a: ['127.0.0.1'] });
  zone.set('www.proof.test', { a: ['127.0.0.1'] });
  serve = (_request, response) => response.end('<html></html>');
});

const proof = {
  domain: 'proof.test',
  names: ['_nearhand.proof.test', 'proof.test'],
  record: 'nearhand-verification=abc',
  tagName: 'nearhand-verification',
  token: 'abc',
};
const find = (more: ProofOptions = {}) => findDomainProof(proof, { ...options, ...more });
const page = (html: string) => {
  serve = (_request, response) => response.end(html);
};

describe('the proof of a domain', () => {
  it('matches a TXT record of either name, and only in full', async () => {
    zone.set('_nearhand.proof.test', { txt: ['nearhand-verification=abcd'] });
    expect(await find()).toEqual({ problem: 'not-found' });
    zone.set('_nearhand.proof.test', { txt: ['v=spf1 -all', 'nearhand-verification=abc'] });
    expect(await find()).toEqual({ method: 'dns' });
    zone.delete('_nearhand.proof.test');
    zone.set('proof.test', { a: ['127.0.0.1'], txt: ['nearhand-verification=abc'] });
    expect(await find()).toEqual({ method: 'dns' });
  });

  it('matches a tag of the home page, with attributes in any order, but not in a comment', async () => {
    for (const html of [
      '<head><meta name="nearhand-verification" content="abc"></head>',
      "<META CONTENT='abc' data-x NAME='nearhand-verification'/>",
      '<meta name=nearhand-verification content=abc>',
    ]) {
      page(html);
      expect(await find(), html).toEqual({ method: 'page' });
    }
    for (const html of [
      '<!-- <meta name="nearhand-verification" content="abc"> -->',
      '<meta name="nearhand-verification" content="abcd">',
      '<meta name="other" content="abc"><p>nearhand-verification abc</p>',
      '',
    ]) {
      page(html);
      expect(await find(), html).toEqual({ problem: 'not-found' });
    }
  });

  it('follows redirects within the domain, but not elsewhere, without https or endlessly', async () => {
    const to = (location: string) => {
      serve = (request, response) =>
        request.headers.host?.startsWith('www.')
          ? response.end('<meta name="nearhand-verification" content="abc">')
          : response.writeHead(301, { location }).end();
    };
    const { port } = options;
    to(`https://www.proof.test:${port}/`);
    expect(await find()).toEqual({ method: 'page' });
    for (const location of [
      `https://other.test:${port}/`,
      `https://notproof.test:${port}/`,
      `http://www.proof.test:${port}/`,
      'https://127.0.0.1/',
      `https://proof.test:${port}/again`,
      'not a url: %',
    ]) {
      to(location);
      expect(await find(), location).toEqual({ problem: 'elsewhere' });
    }
  });

  it('ignores private addresses, even if only one of them is', async () => {
    expect(await find({ allows: isPublicAddress })).toEqual({ problem: 'private' });
    zone.set('proof.test', { a: ['127.0.0.1', '10.0.0.1'] });
    expect(await find()).toEqual({ problem: 'private' });
  });

  it('fails when nothing responds, the certificate is wrong, or an error occurs', async () => {
    zone.delete('proof.test');
    expect(await find()).toEqual({ problem: 'unreachable' });
    zone.set('proof.test', { a: ['127.0.0.1'] });
    expect(await find({ ca: testCertificate(['proof.test']).cert })).toEqual({ problem: 'unreachable' });
    serve = (_request, response) =>
      response.writeHead(500).end('<meta name="nearhand-verification" content="abc">');
    expect(await find()).toEqual({ problem: 'unreachable' });
  });

  it('stops reading an endless page', async () => {
    serve = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    expect(await find()).toEqual({ problem: 'too-large' });
  });
});

describe('public addresses', () => {
  it.each([
    ['8.8.8.8', true],
    ['2a00:1450:400e::1', true],
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.31.255.255',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
    ].map((address) => [address, false] as const),
    ...[
      '::1',
      'fe80::1',
      'fc00::1',
      '::ffff:8.8.8.8',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '2001:db8::1',
      'x',
    ].map((address) => [address, false] as const),
  ] as const)('%s: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });
});
