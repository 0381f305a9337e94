import { describe, expect, it, vi } from 'vitest';
import { homePath } from '../../lib/pages/next-path.ts';
import { entryPath, insidePath, openUrl, returnPath, serverPageIn } from './open-url.ts';

const hosts = ['nearhand.com', 'www.nearhand.com', 'localhost:3000'];
const open = (url: string) => openUrl(url, hosts);

describe('app links', () => {
  it.each([
    ['https://nearhand.com/job-desc/42', '/job-desc/42'],
    ['https://www.nearhand.com/job-desc/42?lat=1&lng=2', '/job-desc/42?lat=1&lng=2'],
    ['https://nearhand.com/toc#part-2', '/toc'],
    ['https://nearhand.com/toc/', '/toc'],
    ['https://nearhand.com', '/'],
    ['https://nearhand.com/', '/'],
    ['HTTPS://NEARHAND.COM/toc', '/toc'],
    ['http://localhost:3000/toc', '/toc'],
    ['nearhand://job-desc/42', '/job-desc/42'],
    ['nearhand:///job-desc/42?x=1', '/job-desc/42?x=1'],
    ['nearhand:toc', '/toc'],
  ])('%s opens %s', (url, path) => expect(open(url)).toBe(path));

  it.each([
    '',
    'toc',
    '/toc',
    '//evil.com',
    '//evil.com/toc',
    'https://evil.com/toc',
    'https://nearhand.com.evil.com/toc',
    'https://evil.com/nearhand.com/toc',
    'https://nearhand.com@evil.com/toc',
    'https://user:secret@nearhand.com/toc',
    'https://evil.com#nearhand.com/toc',
    'https://evil.com\\@nearhand.com/toc',
    'https://nearhand.com:8443/toc',
    'http://nearhand.com/toc',
    'https://nearhand.com//evil.com',
    'https://nearhand.com//evil.com/toc',
    'https://nearhand.com/\\evil.com',
    'https://nearhand.com/%2F%2Fevil.com',
    'https://nearhand.com/%2f%2fevil.com/toc',
    'https://nearhand.com/%5Cevil.com',
    'https://nearhand.com/%252F%252Fevil.com',
    'https://nearhand.com/%25252525252F',
    'https://nearhand.com/toc/../admin',
    'https://nearhand.com/x/../toc',
    'https://nearhand.com/./toc',
    'https://nearhand.com/%2e%2e/toc',
    'https://nearhand.com/job-desc/%2e%2e%2ftoc',
    'https://nearhand.com/job-desc/a%2Fb',
    'https://nearhand.com/job-desc/%00',
    'https://nearhand.com/job-desc/a%0d%0aSet-Cookie:x',
    'https://nearhand.com/job-desc/a b',
    'https://nearhand.com/job-desc/\u202Etxt',
    'https://nearhand.com/job-desc/%E0%A4%A',
    'https://nearhand.com/job-desc/<script>',
    'https://nearhand.com/nope',
    'https://nearhand.com/api/accounts/me',
    'https://nearhand.com/dev/mailbox',
    'https://nеarhand.com/toc',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'javascript://nearhand.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox',
    'file:///etc/passwd',
    'blob:https://nearhand.com/x',
    'ftp://nearhand.com/toc',
    'nearhand:////evil.com',
    'nearhand://evil.com/../toc',
    'nearhand:javascript:alert(1)',
    `https://nearhand.com/toc?${'x'.repeat(2_000)}`,
  ])('%j opens home', (url) => expect(open(url)).toBe(homePath));

  it('trusts no host by default', () => {
    expect(openUrl('https://nearhand.com/toc', [])).toBe(homePath);
  });
});

describe("links to pages that only the server's website has", () => {
  it.each([
    'https://nearhand.com/api/unsubscribe/x',
    'https://nearhand.com/b/x',
    'https://nearhand.com/jobs/x?sort=new',
    'https://nearhand.com/operator',
    'https://www.nearhand.com/nope',
  ])('%s opens in the browser', (url) => expect(serverPageIn(url, hosts)).toBe(url));

  it.each([
    'https://nearhand.com/',
    'https://nearhand.com/job-desc/42',
    'https://nearhand.com/toc/',
    'https://nearhand.com/r/abc',
    'https://evil.com/b/x',
    'https://nearhand.com.evil.com/b/x',
    'https://nearhand.com@evil.com/b/x',
    'https://user:secret@nearhand.com/b/x',
    'https://nearhand.com:8443/b/x',
    'http://nearhand.com/b/x',
    'http://localhost:3000/b/x',
    'https://nearhand.com//evil.com/b/x',
    'https://nearhand.com/\\evil.com',
    'https://nearhand.com/b/../operator',
    'https://nearhand.com/b/%2e%2e/operator',
    'https://nearhand.com/b/a%0d%0aSet-Cookie:x',
    'nearhand://b/x',
    'javascript:alert(1)',
    `https://nearhand.com/b/${'x'.repeat(2_000)}`,
    '',
  ])("%j doesn't", (url) => expect(serverPageIn(url, hosts)).toBeNull());

  it("trusts only the build's hosts, not the app's own page", () => {
    expect(serverPageIn(`https://${globalThis.location?.host}/b/x`)).toBeNull();
    vi.stubEnv('VITE_APP_HOSTS', 'jobs.example.org,nearhand.com');
    expect(serverPageIn('https://jobs.example.org/b/x')).toBe('https://jobs.example.org/b/x');
    vi.unstubAllEnvs();
  });
});

describe('the return path', () => {
  const next = (path: string) => `?next=${encodeURIComponent(path)}`;

  it('keeps its query', () => {
    expect(returnPath(next('/job-desc/42?lat=1'))).toBe('/job-desc/42?lat=1');
    expect(returnPath(next('/tabs/menu/account'))).toBe('/tabs/menu/account');
  });

  it.each([
    '',
    next('//evil.com'),
    next('https://evil.com'),
    next('javascript:alert(1)'),
    next('/\\evil.com'),
    next('/%2F%2Fevil.com'),
    next('/nope'),
    next('/login'),
    next('/getting-started?next=/toc'),
    next('/'),
    '?next=/%2565vil/..//',
  ])('%s becomes home', (search) => expect(returnPath(search)).toBe(homePath));

  it("is passed in the entry page's address", () => {
    expect(entryPath('/job-desc/42', '?lat=1')).toBe('/getting-started?next=%2Fjob-desc%2F42%3Flat%3D1');
    expect(entryPath(homePath, '')).toBe('/getting-started');
    expect(entryPath('/nope', '')).toBe('/getting-started');
  });

  it('uses the first of several and drops a fragment', () => {
    expect(returnPath('?next=/toc&next=//evil.com')).toBe('/toc');
    expect(insidePath('/toc#x?y')).toBe('/toc');
    expect(insidePath('/toc?a=\\evil')).toBe('/toc');
    expect(insidePath(null)).toBeNull();
  });
});
