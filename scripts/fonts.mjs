// @ts-check
// Runs `npm run fonts`: subsets the fonts and measures fallbacks. The output is committed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ensurePackages } from './packages.mjs';
import { capture, main, Refused, root, step } from './steps.mjs';

const tools = {
  '@fontsource-variable/bricolage-grotesque': '5.3.0',
  '@fontsource-variable/figtree': '5.3.0',
  'subset-font': '2.9.0',
  '@capsizecss/unpack': '4.0.1',
  '@fontsource/roboto': '5.3.0',
  '@fontsource/arimo': '5.3.0',
};
const folder = path.join(root, 'node_modules', '.cache', 'fonts');
const installed = path.join(folder, 'node_modules');
const outputFolder = path.join(root, 'apps', 'web', 'src', 'ui', 'fonts');

/** `taller` widens a fallback's line, in em, so that replacing it is not a later, larger paint (LCP). */
const fonts = [
  {
    name: 'bricolage',
    family: 'Bricolage Grotesque Variable',
    from: ['bricolage-grotesque', 'opsz'],
    axes: { wght: 700, opsz: { min: 14, max: 56 } },
    weights: '600 800',
    standsIn: 'Nearhand heading',
    taller: 1 / 32,
    faces: [{ weights: '600 800', at: { wght: 700, opsz: 30 }, bold: true }],
  },
  {
    name: 'figtree',
    family: 'Figtree Variable',
    from: ['figtree', 'wght'],
    axes: { wght: { min: 400, max: 750 } },
    weights: '400 750',
    standsIn: 'Nearhand text',
    taller: 1 / 16,
    faces: [
      { weights: '400 600', at: { wght: 450 }, bold: false },
      { weights: '601 750', at: { wght: 650 }, bold: true },
    ],
  },
];
/** Fallback fonts by local name, with a font of the same widths. Arimo has Arial's. */
const otherFonts = [
  { suffix: '', like: 'roboto', names: [['Roboto'], ['Roboto Bold']] },
  {
    suffix: ' 2',
    like: 'arimo',
    names: [
      ['Arial', 'Liberation Sans'],
      ['Arial Bold', 'Liberation Sans Bold'],
    ],
  },
];

async function ensureTools() {
  if (!existsSync(path.join(installed, 'subset-font'))) {
    mkdirSync(folder, { recursive: true });
    if (!process.env.npm_execpath) throw new Refused('Start this through npm, as in `npm run fonts`.');
    const requirements = Object.entries(tools).map(([name, version]) => `${name}@${version}`);
    const install = [process.env.npm_execpath, 'install', '--prefix', folder, '--no-save', ...requirements];
    const { code, output } = await step('Installing the tools for fonts', () =>
      capture(process.execPath, install),
    );
    if (code !== 0) throw new Refused(`${output.trim()}\nThe tools for fonts could not be installed.`);
  }
  const load = createRequire(import.meta.url);
  const tool = (/** @type {string} */ name) => load(path.join(installed, name));
  return { subset: tool('subset-font'), fromBuffer: tool('@capsizecss/unpack').fromBuffer };
}

/**
 * Every character of a CSS unicode-range.
 * @param {string} range
 */
const charactersOf = (range) =>
  range
    .split(',')
    .flatMap((part) => {
      const [from = '', to = from] = part.replace('U+', '').split('-');
      const first = Number.parseInt(from, 16);
      return Array.from({ length: Number.parseInt(to, 16) - first + 1 }, (_, index) =>
        String.fromCodePoint(first + index),
      );
    })
    .join('');

const percent = (/** @type {number} */ part) => `${(part * 100).toFixed(2)}%`;

await main(async () => {
  await ensurePackages();
  const { subset, fromBuffer } = await ensureTools();
  const packages = path.join(installed, '@fontsource-variable');
  mkdirSync(outputFolder, { recursive: true });
  /** @type {string[]} */
  const css = ['/* Made by `npm run fonts`. */'];
  for (const { name, family, from, axes, weights, standsIn, taller, faces: standIns } of fonts) {
    const [source = '', file] = from;
    /** @type {Record<string, string>} */
    const ranges = JSON.parse(readFileSync(path.join(packages, source, 'unicode.json'), 'utf8'));
    for (const letters of ['latin-ext', 'latin']) {
      const range = ranges[letters] ?? '';
      const whole = readFileSync(
        path.join(packages, source, 'files', `${source}-${letters}-${file}-normal.woff2`),
      );
      const cut = await subset(whole, charactersOf(range), { targetFormat: 'woff2', variationAxes: axes });
      const target = letters === 'latin' ? `${name}.woff2` : `${name}-${letters}.woff2`;
      writeFileSync(path.join(outputFolder, target), cut);
      console.log(`${target}: ${whole.length} to ${cut.length} bytes`);
      css.push(
        `@font-face{font-family:'${family}';font-weight:${weights};font-display:swap;src:url(./${target}) format('woff2');unicode-range:${range}}`,
      );
    }
    const whole = readFileSync(path.join(packages, source, 'files', `${source}-latin-${file}-normal.woff2`));
    for (const { weights: range, at, bold } of standIns) {
      const ours = await fromBuffer(
        await subset(whole, charactersOf(ranges.latin ?? ''), { targetFormat: 'woff2', variationAxes: at }),
      );
      for (const { suffix, like, names } of otherFonts) {
        const style = `${like}-latin-${bold ? 700 : 400}-normal.woff2`;
        const other = await fromBuffer(
          readFileSync(path.join(installed, '@fontsource', like, 'files', style)),
        );
        const size = ours.xWidthAvg / ours.unitsPerEm / (other.xWidthAvg / other.unitsPerEm);
        const metric = (/** @type {number} */ units, more = 0) =>
          percent((units / ours.unitsPerEm + more) / size);
        const local = (names[bold ? 1 : 0] ?? []).map((localName) => `local('${localName}')`).join(',');
        css.push(
          `@font-face{font-family:'${standsIn}${suffix}';font-weight:${range};src:${local};size-adjust:${percent(size)};ascent-override:${metric(ours.ascent, taller)};descent-override:${metric(-ours.descent, taller)};line-gap-override:${metric(ours.lineGap)}}`,
        );
      }
    }
    writeFileSync(
      path.join(outputFolder, `${name}.license.txt`),
      readFileSync(path.join(packages, source, 'LICENSE')),
    );
  }
  writeFileSync(path.join(outputFolder, 'fonts.css'), `${css.join('\n')}\n`);
});
