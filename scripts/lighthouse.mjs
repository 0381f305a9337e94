// @ts-check
// `npm run lighthouse -- http://127.0.0.1:8080`: how a running server's first pages do on a phone, by Lighthouse, which is installed on demand.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensurePackages } from './packages.mjs';
import { capture, main, projectNode, Refused, root, step } from './steps.mjs';

const version = '13.5.0';
const folder = path.join(root, 'node_modules', '.cache', `lighthouse-${version}`);
const pages = ['/getting-started', '/login', '/tabs/menu/explore'];
const rounds = 3;
const flags =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** @typedef {{ score: number, lcp: number, blocked: number, shift: number, scripts: number, kib: number }} Figures */

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
 * @param {string} cli @param {string} browser @param {string} url
 * @returns {Promise<Figures>}
 */
async function measure(cli, browser, url) {
  const file = path.join(folder, 'report.json');
  const { code, output } = await capture(
    projectNode,
    [
      cli,
      url,
      '--quiet',
      `--chrome-flags=${flags}`,
      '--only-categories=performance',
      '--output=json',
      `--output-path=${file}`,
    ],
    { env: { ...process.env, CHROME_PATH: browser } },
  );
  if (code !== 0) throw new Refused(`${output.trim()}\nLighthouse could not measure ${url}.`);
  const { audits, categories } = JSON.parse(readFileSync(file, 'utf8'));
  /** @type {{ resourceType?: string, transferSize?: number }[]} */
  const requests = audits['network-requests'].details.items;
  return {
    score: Math.round(categories.performance.score * 100),
    lcp: audits['largest-contentful-paint'].numericValue,
    blocked: audits['total-blocking-time'].numericValue,
    shift: audits['cumulative-layout-shift'].numericValue,
    scripts: requests.filter(({ resourceType }) => resourceType === 'Script').length,
    kib: requests.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1024,
  };
}

/**
 * The path of a page that anyone can read: the first job in the sitemap.
 * @param {string} address
 */
async function publicJob(address) {
  /** @param {string} path @param {RegExp} wanted */
  const firstPath = async (path, wanted) => {
    const text = await (await fetch(new URL(path, address))).text();
    const found = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
    const first = found.find((one) => wanted.test(one));
    if (!first) throw new Refused(`${path} lists no job; the floor is a job's public page.`);
    return first;
  };
  return firstPath(await firstPath('/sitemap.xml', /job/), /^\/j\//);
}

await main(async () => {
  const [address] = process.argv.slice(2);
  if (!address || !URL.canParse(address))
    throw new Refused('Name the address of a running server: npm run lighthouse -- http://127.0.0.1:8080');
  await ensurePackages();
  const browser = await ensureBrowser();
  const cli = await ensureLighthouse();
  console.log(`Lighthouse ${version}, mobile, guest, medians of ${rounds} runs`);
  console.log(
    '| page | performance | LCP, s | blocked, ms | shift | scripts | KiB in all |\n|---|---|---|---|---|---|---|',
  );
  for (const page of [await publicJob(address), ...pages]) {
    /** @type {Figures[]} */
    const runs = [];
    for (let round = 0; round < rounds; round += 1)
      runs.push(await measure(cli, browser, new URL(page, address).href));
    /** @param {keyof Figures} name */
    const of = (name) => median(runs.map((run) => run[name]));
    const figures = [
      of('score'),
      (of('lcp') / 1000).toFixed(2),
      Math.round(of('blocked')),
      of('shift').toFixed(3),
      of('scripts'),
      Math.round(of('kib')),
    ];
    console.log(`| ${[page, ...figures].join(' | ')} |`);
  }
});
