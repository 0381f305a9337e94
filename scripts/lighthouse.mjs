// @ts-check
// Runs `npm run lighthouse -- URL`: measures a server's first pages on a phone.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from './browser.mjs';
import { ensurePackages } from './packages.mjs';
import { capture, main, projectNode, Refused, root, step } from './steps.mjs';

const version = '13.5.0';
const folder = path.join(root, 'node_modules', '.cache', `lighthouse-${version}`);
const pages = ['/getting-started', '/login', '/tabs/menu/explore'];
const flags =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/**
 * @typedef {{ score: number, lcp: number, blocked: number, shift: number, scripts: number, scriptKib: number,
 * kib: number, machine: number, protocol: string, accessibility: number, practices: number, seo: number,
 * failed: string[] }} Figures
 */

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function ensureLighthouse() {
  const cli = path.join(folder, 'node_modules', 'lighthouse', 'cli', 'index.js');
  if (existsSync(cli)) return cli;
  mkdirSync(folder, { recursive: true });
  if (!process.env.npm_execpath) throw new Refused('Start this through npm, as in `npm run lighthouse`.');
  const install = [
    process.env.npm_execpath,
    'install',
    '--prefix',
    folder,
    '--no-save',
    `lighthouse@${version}`,
  ];
  const { code, output } = await step('Installing Lighthouse', () => capture(process.execPath, install));
  if (code !== 0) throw new Refused(`${output.trim()}\nLighthouse could not be installed.`);
  return cli;
}

/**
 * `own`: our throw-away certificate.
 * @param {{ cli: string, browser: string, own: boolean, url: string }} run
 * @returns {Promise<Figures>}
 */
async function measure({ cli, browser, own, url }) {
  const file = path.join(folder, 'report.json');
  const trusted = own ? ' --ignore-certificate-errors' : '';
  const once = () =>
    capture(
      projectNode,
      [
        cli,
        url,
        '--quiet',
        `--chrome-flags=${flags}${trusted}`,
        '--only-categories=performance,accessibility,best-practices,seo',
        '--output=json',
        `--output-path=${file}`,
      ],
      { env: { ...process.env, CHROME_PATH: browser } },
    );
  let { code, output } = await once();
  // Chromium's trace occasionally lacks its start; the next load has it.
  if (code !== 0 && output.includes('NO_NAVSTART')) {
    console.log('  a load was not recorded (NO_NAVSTART); measured again');
    ({ code, output } = await once());
  }
  if (code !== 0) throw new Refused(`${output.trim()}\nLighthouse could not measure ${url}.`);
  const { audits, categories, environment, runtimeError } = JSON.parse(readFileSync(file, 'utf8'));
  if (runtimeError) throw new Refused(`Lighthouse could not measure ${url}: ${runtimeError.message}`);
  /** @type {{ resourceType?: string, transferSize?: number, protocol?: string }[]} */
  const requests = audits['network-requests'].details.items;
  const scripts = requests.filter(({ resourceType }) => resourceType === 'Script');
  /** @param {{ transferSize?: number }[]} some */
  const kibOf = (some) => some.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1024;
  /** @param {string} name @returns {number} */
  const scoreOf = (name) => Math.round(categories[name].score * 100);
  const failed = ['accessibility', 'best-practices', 'seo'].flatMap((name) =>
    categories[name].auditRefs
      .filter(
        (/** @type {{ id: string, weight: number }} */ ref) => ref.weight > 0 && audits[ref.id].score === 0,
      )
      .map((/** @type {{ id: string }} */ { id }) => id),
  );
  return {
    score: scoreOf('performance'),
    lcp: audits['largest-contentful-paint'].numericValue,
    blocked: audits['total-blocking-time'].numericValue,
    shift: audits['cumulative-layout-shift'].numericValue,
    scripts: scripts.length,
    scriptKib: kibOf(scripts),
    kib: kibOf(requests),
    machine: environment.benchmarkIndex,
    protocol: requests[0]?.protocol ?? '',
    accessibility: scoreOf('accessibility'),
    practices: scoreOf('best-practices'),
    seo: scoreOf('seo'),
    failed,
  };
}

/**
 * Chromium's installability problems, which Lighthouse no longer checks.
 * @param {{ browser: string, own: boolean, url: string }} run
 * @returns {Promise<string[]>}
 */
async function installProblems({ browser, own, url }) {
  const { chromium } = await import('@playwright/test');
  const profile = mkdtempSync(path.join(tmpdir(), 'nearhand-install-'));
  const args = [...flags.split(' ').slice(1), ...(own ? ['--ignore-certificate-errors'] : [])];
  const context = await chromium.launchPersistentContext(profile, { executablePath: browser, args });
  try {
    const page = await context.newPage();
    await page.goto(url);
    const session = await context.newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    return installabilityErrors.map(({ errorId }) => errorId);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/**
 * The path of a public page: the first job in the sitemap.
 * @param {string} address
 */
async function publicJob(address) {
  /** @param {string} path @param {RegExp} pattern */
  const firstPath = async (path, pattern) => {
    const text = await (await fetch(new URL(path, address))).text();
    const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
    const first = paths.find((candidate) => pattern.test(candidate));
    if (!first) throw new Refused(`${path} lists no job; the floor is a job's public page.`);
    return first;
  };
  return firstPath(await firstPath('/sitemap.xml', /job/), /^\/j\//);
}

const heads = [
  'page',
  'performance',
  'LCP, s',
  'blocked, ms',
  'shift',
  'scripts',
  'script KiB',
  'KiB in all',
];
const otherHeads = ['accessibility', 'best practices', 'SEO'];

/** @param {string} page @param {Figures[]} runs */
function rowOf(page, runs) {
  /**
   * @param {'score' | 'lcp' | 'blocked' | 'shift' | 'scripts' | 'scriptKib' | 'kib' | 'accessibility' |
   * 'practices' | 'seo'} name
   */
  const of = (name) => median(runs.map((run) => run[name]));
  const figures = [
    of('score'),
    (of('lcp') / 1000).toFixed(2),
    Math.round(of('blocked')),
    of('shift').toFixed(3),
    of('scripts'),
    Math.round(of('scriptKib')),
    Math.round(of('kib')),
    of('accessibility'),
    of('practices'),
    of('seo'),
  ];
  return `| ${[page, ...figures].join(' | ')} |`;
}

await main(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { http1: { type: 'boolean' }, rounds: { type: 'string', default: '3' } },
  });
  const [address, ...only] = positionals;
  const rounds = Number(values.rounds);
  if (!address || !URL.canParse(address) || !Number.isInteger(rounds) || rounds < 1)
    throw new Refused(
      'Name the address of a running server, and pages if not all: npm run lighthouse -- http://127.0.0.1:8080 /login',
    );
  await ensurePackages();
  const browser = await ensureBrowser();
  const cli = await ensureLighthouse();
  const isPlain = new URL(address).protocol === 'http:' && !values.http1;
  const front = isPlain ? await (await import('./http2-front.mjs')).openHttp2Front(address) : null;
  const base = front?.address ?? address;
  try {
    console.log(`Lighthouse ${version}, mobile, guest, medians of ${rounds} runs`);
    const all = [...heads, ...otherHeads];
    console.log(`| ${all.join(' | ')} |\n|${'---|'.repeat(all.length)}`);
    /** @type {Figures[]} */
    const measured = [];
    for (const page of only.length > 0 ? only : [await publicJob(address), ...pages]) {
      /** @type {Figures[]} */
      const runs = [];
      for (let round = 0; round < rounds; round += 1)
        runs.push(await measure({ cli, browser, own: front !== null, url: new URL(page, base).href }));
      console.log(rowOf(page, runs));
      measured.push(...runs);
      const failed = [...new Set(runs.flatMap((run) => run.failed))];
      if (failed.length > 0) console.log(`  fails: ${failed.join(', ')}`);
    }
    const machine = Math.round(median(measured.map((run) => run.machine)));
    const [load = 0] = loadavg();
    const protocols = [...new Set(measured.map((run) => run.protocol))].join(', ');
    console.log(
      `${protocols}; the machine: ${machine} by Lighthouse's own benchmark, load ${load.toFixed(1)}`,
    );
    const problems = await installProblems({
      browser,
      own: front !== null,
      url: new URL('/getting-started', base).href,
    });
    console.log(
      problems.length > 0 ? `Can't be installed: ${problems.join(', ')}` : 'Can be installed as an app',
    );
  } finally {
    await front?.close();
  }
});
