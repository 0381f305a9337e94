// @ts-check
// Draws the apps' icons and splash screens from apps/web/public/favicon.svg.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { root } from '../steps.mjs';

const res = 'apps/mobile/android/app/src/main/res';
const assets = 'apps/mobile/ios/App/App/Assets.xcassets';

/** The web app's tokens `--bg`, `--text` and `--action`. */
const splash = {
  light: { paper: '#F6F2E8', arch: '#12352A', dot: '#BC430C' },
  dark: { paper: '#0E1512', arch: '#EDF3EC', dot: '#FF9A5C' },
};

/**
 * @typedef {{ d: string, width: number, cx: number, cy: number, r: number, ground: string, arch: string, dot:
 * string }} Mark
 */

/**
 * Throws unless the drawing is one arch over one dot.
 * @param {string} svg
 * @returns {Mark}
 */
function readMark(svg) {
  /** @param {RegExp} pattern */
  const part = (pattern) => {
    const value = pattern.exec(svg)?.[1];
    if (value === undefined)
      throw new Error(`favicon.svg has no ${pattern.source}; adapt scripts/mobile/icons.mjs.`);
    return value;
  };
  return {
    d: part(/<path d="([^"]+)"/),
    width: Number(part(/stroke-width="([\d.]+)"/)),
    cx: Number(part(/<circle cx="([\d.]+)"/)),
    cy: Number(part(/<circle [^>]*cy="([\d.]+)"/)),
    r: Number(part(/<circle [^>]* r="([\d.]+)"/)),
    ground: part(/<rect [^>]*fill="(#\w+)"/),
    arch: part(/stroke="(#\w+)"/),
    dot: part(/<circle [^>]*fill="(#\w+)"/),
  };
}

const middle = { x: 32, y: 32.75 };

/** @param {Mark} mark @param {{ dp: number, size: number, scale: number, arch: string, dot: string }} look */
const vector = (
  { d, width, cx, cy, r },
  { dp, size, scale, arch, dot },
) => `<?xml version="1.0" encoding="utf-8"?>
<!-- Drawn by npm run mobile -- icons. -->
<vector xmlns:android="http://schemas.android.com/apk/res/android"
    android:width="${dp}dp"
    android:height="${dp}dp"
    android:viewportWidth="${size}"
    android:viewportHeight="${size}">
    <group
        android:scaleX="${scale}"
        android:scaleY="${scale}"
        android:translateX="${round(size / 2 - middle.x * scale)}"
        android:translateY="${round(size / 2 - middle.y * scale)}">
        <path
            android:pathData="${d}"
            android:strokeColor="${arch}"
            android:strokeWidth="${width}" />
        <path
            android:fillColor="${dot}"
            android:pathData="M${cx - r},${cy}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0" />
    </group>
</vector>
`;

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

/** @param {Record<string, string>} colors */
const colorsFile = (colors) => `<?xml version="1.0" encoding="utf-8"?>
<!-- Drawn by npm run mobile -- icons. -->
<resources>
${Object.entries(colors)
  .map(([name, color]) => `    <color name="${name}">${color}</color>`)
  .join('\n')}
</resources>
`;

/** @param {Mark} mark @returns {Record<string, string>} */
function androidFiles(mark) {
  // An adaptive icon shows at least the inner 66 of its 108 units.
  const icon = { dp: 108, size: 108, scale: 0.95 };
  const { light, dark } = splash;
  return {
    [`${res}/drawable/ic_launcher_foreground.xml`]: vector(mark, { ...icon, arch: mark.arch, dot: mark.dot }),
    [`${res}/drawable/ic_launcher_monochrome.xml`]: vector(mark, {
      ...icon,
      arch: '#FFFFFF',
      dot: '#FFFFFF',
    }),
    [`${res}/drawable/ic_notification.xml`]: vector(mark, {
      dp: 24,
      size: 24,
      scale: 0.45,
      arch: '#FFFFFF',
      dot: '#FFFFFF',
    }),
    [`${res}/drawable/splash_icon.xml`]: vector(mark, {
      dp: 288,
      size: 108,
      scale: 0.95,
      arch: '@color/splash_arch',
      dot: '@color/splash_dot',
    }),
    [`${res}/mipmap-anydpi-v26/ic_launcher.xml`]: `<?xml version="1.0" encoding="utf-8"?>
<!-- Drawn by npm run mobile -- icons. -->
<adaptive-icon xmlns:android="http://schemas.android.com/apk/res/android">
    <background android:drawable="@color/brand" />
    <foreground android:drawable="@drawable/ic_launcher_foreground" />
    <monochrome android:drawable="@drawable/ic_launcher_monochrome" />
</adaptive-icon>
`,
    [`${res}/values/colors.xml`]: colorsFile({
      brand: mark.ground,
      paper: light.paper,
      splash_arch: light.arch,
      splash_dot: light.dot,
    }),
    [`${res}/values-night/colors.xml`]: colorsFile({
      paper: dark.paper,
      splash_arch: dark.arch,
      splash_dot: dark.dot,
    }),
  };
}

/**
 * @param {Mark} mark
 * @param {number} pixels
 * @param {{ arch: string, dot: string, ground?: string, scale?: number }} look
 */
function png({ d, width, cx, cy, r }, pixels, { arch, dot, ground, scale = 1 }) {
  const moved = `translate(${32 - middle.x * scale} ${32 - middle.y * scale}) scale(${scale})`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 64 64">
    ${ground ? `<rect width="64" height="64" fill="${ground}"/>` : ''}<g transform="${moved}">
    <path d="${d}" fill="none" stroke="${arch}" stroke-width="${width}"/><circle cx="${cx}" cy="${cy}" r="${r}" fill="${dot}"/></g></svg>`;
  const image = sharp(Buffer.from(svg));
  // The App Store refuses an icon with transparency.
  return (ground ? image.flatten({ background: ground }) : image).png({ compressionLevel: 9 }).toBuffer();
}

/** @param {object} contents */
const catalogue = (contents) =>
  `${JSON.stringify({ ...contents, info: { author: 'xcode', version: 1 } }, null, 2)}\n`;

/**
 * Selects an appearance of the asset catalogue.
 * @param {string} value
 */
const luminosity = (value) => ({ appearances: [{ appearance: 'luminosity', value }] });

/** @param {string} hex */
function color(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => `0x${hex.slice(at, at + 2)}`);
  return { color: { 'color-space': 'srgb', components: { alpha: '1.000', blue, green, red } } };
}

/** @param {Mark} mark @returns {Promise<Record<string, string | Buffer>>} */
async function iosFiles(mark) {
  const icons = `${assets}/AppIcon.appiconset`;
  const image = { idiom: 'universal', platform: 'ios', size: '1024x1024' };
  /** @type {Record<string, string | Buffer>} */
  const files = {
    [`${icons}/Contents.json`]: catalogue({
      images: [
        { ...image, filename: 'AppIcon.png' },
        { ...image, filename: 'AppIcon-dark.png', ...luminosity('dark') },
        { ...image, filename: 'AppIcon-tinted.png', ...luminosity('tinted') },
      ],
    }),
    [`${icons}/AppIcon.png`]: await png(mark, 1024, mark),
    // iOS puts its own dark ground behind the dark icon, and tints the grey one.
    [`${icons}/AppIcon-dark.png`]: await png(mark, 1024, { arch: mark.arch, dot: mark.dot }),
    [`${icons}/AppIcon-tinted.png`]: await png(mark, 1024, {
      arch: '#FFFFFF',
      dot: '#BBBBBB',
      ground: '#000000',
    }),
    [`${assets}/Paper.colorset/Contents.json`]: catalogue({
      colors: [
        { idiom: 'universal', ...color(splash.light.paper) },
        { idiom: 'universal', ...luminosity('dark'), ...color(splash.dark.paper) },
      ],
    }),
    [`${assets}/Splash.imageset/Contents.json`]: catalogue({
      images: [1, 2, 3].flatMap((scale) => [
        { idiom: 'universal', filename: `Splash@${scale}x.png`, scale: `${scale}x` },
        {
          idiom: 'universal',
          filename: `Splash-dark@${scale}x.png`,
          scale: `${scale}x`,
          ...luminosity('dark'),
        },
      ]),
    }),
  };
  for (const scale of [1, 2, 3]) {
    const { light, dark } = splash;
    const look = (/** @type {typeof light} */ { arch, dot }) => ({ arch, dot });
    files[`${assets}/Splash.imageset/Splash@${scale}x.png`] = await png(mark, 128 * scale, look(light));
    files[`${assets}/Splash.imageset/Splash-dark@${scale}x.png`] = await png(mark, 128 * scale, look(dark));
  }
  return files;
}

/**
 * Draws all files, by path from the root.
 * @returns {Promise<Record<string, string | Buffer>>}
 */
export async function drawIcons() {
  const mark = readMark(readFileSync(path.join(root, 'apps', 'web', 'public', 'favicon.svg'), 'utf8'));
  return { ...androidFiles(mark), ...(await iosFiles(mark)) };
}

/**
 * Writes all files.
 * @returns {Promise<number>} how many
 */
export async function writeIcons() {
  const files = await drawIcons();
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
  return Object.keys(files).length;
}
