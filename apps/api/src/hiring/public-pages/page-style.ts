import { createHash } from 'node:crypto';
import { pageFonts } from './fonts/page-fonts.ts';

/** Light and dark values of the app's tokens (apps/web/src/ui/tokens.css; a test compares them). */
export const pageTokens = {
  bg: ['#F6F2E8', '#0E1512'],
  surface: ['#FFFDF8', '#17201B'],
  'surface-2': ['#EDE6D6', '#212C26'],
  line: ['#E3DBCA', '#2A362F'],
  text: ['#12352A', '#EDF3EC'],
  'text-2': ['#4A6056', '#A9B8AE'],
  pine: ['#0F3B2D', '#133B2E'],
  'on-pine': ['#F8F4EA', '#F1F6EE'],
  'on-pine-2': ['#AFCDBD', '#AECBBC'],
  'pine-line': ['#2F6350', '#2F6350'],
  'pine-fill': ['#1B4D3D', '#1C4B3C'],
  action: ['#BC430C', '#FF9A5C'],
  'action-press': ['#963506', '#FFB382'],
  'on-action': ['#FFFFFF', '#27100A'],
  'action-soft': ['#FBE2D2', '#452417'],
  'on-action-soft': ['#822F07', '#FFC5A1'],
  ember: ['#FF9A5C', '#FF9A5C'],
  good: ['#1A6B45', '#6FD3A0'],
  'good-soft': ['#D9EEDD', '#163B2A'],
  'on-good-soft': ['#14512F', '#A5E8C4'],
  'wait-soft': ['#F8E8BE', '#3C2F10'],
  'on-wait-soft': ['#5E3F00', '#F6D88F'],
  'here-soft': ['#DCE8F7', '#17304F'],
  'on-here-soft': ['#164684', '#B5D5FF'],
  focus: ['#1E5FB0', '#8FC0FF'],
} as const;

const tokensOf = (index: 0 | 1) =>
  Object.entries(pageTokens)
    .map(([name, values]) => `--${name}:${values[index]}`)
    .join(';');

/** Inline in each page, so that nothing delays the first paint. */
export const pageStyle = `@font-face{font-family:Figtree;font-weight:400 700;font-display:swap;src:url(${pageFonts.text.path}) format('woff2')}
@font-face{font-family:'Bricolage Grotesque';font-weight:700;font-display:swap;src:url(${pageFonts.display.path}) format('woff2')}
@font-face{font-family:'Figtree fallback';src:local(Arial),local('Liberation Sans');size-adjust:100%;ascent-override:95%;descent-override:25%}
:root{color-scheme:light dark;${tokensOf(0)}}
@media (prefers-color-scheme:dark){:root{${tokensOf(1)}}}
*{box-sizing:border-box;margin:0;padding:0}
html{-webkit-text-size-adjust:100%;scroll-padding-block:96px}
body{background:var(--bg);color:var(--text);font:450 1rem/1.5 Figtree,'Figtree fallback',system-ui,sans-serif;overflow-wrap:anywhere}
ul,ol{list-style:none}a{color:inherit}
svg{display:block}body>svg{position:absolute}.i{width:1.5em;height:1.5em;fill:currentColor;flex:none}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:6px}
.skip{position:absolute;inset-inline-start:-999px}.skip:focus{inset:8px auto auto 8px;background:var(--surface);padding:12px;z-index:3}
h1,h2,h3,.money b,.lockup{font-family:'Bricolage Grotesque',Figtree,'Figtree fallback',system-ui,sans-serif;font-weight:700;letter-spacing:-.015em;line-height:1.15;text-wrap:balance}
h1{font-size:1.875rem}h2{font-size:1.4375rem}h3{font-size:1.125rem;line-height:1.22}
.wrap{max-width:680px;margin-inline:auto;padding-inline:20px}
.top{background:var(--pine);color:var(--on-pine)}
.top .wrap{display:flex;align-items:center;gap:8px;min-height:64px;max-width:1120px}
.lockup{display:flex;align-items:center;gap:8px;font-size:1.25rem;text-decoration:none;margin-inline-end:auto;min-height:44px}
.lockup svg{width:28px;height:28px}
.top nav a{display:inline-flex;align-items:center;min-height:44px;padding-inline:12px;font-weight:600;font-size:.9063rem;text-decoration:none}
.top nav a:hover{text-decoration:underline}
.hero{background:var(--pine);color:var(--on-pine);padding-block:8px 52px}
.hero .mute{color:var(--on-pine-2)}.hero h1{margin-block-start:8px}
.crumbs{font-size:.8125rem;color:var(--on-pine-2)}
.crumbs ol{display:flex;flex-wrap:wrap;align-items:center}.crumbs li{display:flex;align-items:center}
.crumbs a{display:inline-flex;align-items:center;min-height:44px;padding-inline-end:6px}
.crumbs li+li::before{content:'›';padding-inline-end:6px}
.money{display:flex;flex-wrap:wrap;align-items:flex-end;gap:4px 12px;margin-block-start:16px;font-variant-numeric:tabular-nums}
.money b{font-size:4rem;line-height:1;letter-spacing:-.04em}.money b.long{font-size:3rem}
.money span span{display:block;line-height:1.3}
.fee{margin-block-start:12px;max-width:26rem;line-height:1.4}
.badges{display:flex;flex-wrap:wrap;gap:8px;margin-block-start:16px}
.badge{display:inline-flex;align-items:center;gap:.3em;min-height:26px;padding:0 .6em;border-radius:6px;font-size:.8125rem;font-weight:650;background:var(--good-soft);color:var(--on-good-soft)}
.badge .i{width:1.2em;height:1.2em}.hero .badge{background:var(--pine-fill);color:var(--on-pine)}
.sheet{position:relative;margin-block-start:-28px;border-radius:28px 28px 0 0;background:var(--bg);padding-block:24px 32px}
.facts{display:grid;gap:16px}
.fact{display:grid;grid-template-columns:24px 1fr;gap:12px}.fact .t{font-weight:560;line-height:1.35}.fact .d,.sm{font-size:.9063rem;color:var(--text-2);line-height:1.4}
section,.who-card{margin-block-start:28px}
.card,.job{position:relative;background:var(--surface);border:1px solid var(--line);border-radius:20px;padding:16px}
.who-card{display:flex;align-items:center;gap:12px}.who-card h2{font-size:1.1875rem}
.sign{width:44px;height:44px;border-radius:14px;display:grid;place-items:center;background:var(--surface-2);color:var(--text);flex:none}
.clay{background:var(--action-soft);color:var(--on-action-soft)}.moss{background:var(--good-soft);color:var(--on-good-soft)}.sky{background:var(--here-soft);color:var(--on-here-soft)}.straw{background:var(--wait-soft);color:var(--on-wait-soft)}
.star{display:inline-flex;align-items:center;gap:.2em;font-weight:600;color:var(--text);font-variant-numeric:tabular-nums}.star .i{width:1em;height:1em}
.verified{display:inline-flex;align-items:center;gap:4px}.verified .i{color:var(--good);width:1.2em;height:1.2em}
.needs li{display:flex;gap:12px;align-items:flex-start;padding-block:10px;border-block-end:1px solid var(--line)}.needs li .i{color:var(--text-2)}.shifts li{justify-content:space-between}.shifts .sm{display:block}.shifts [aria-current]{font-weight:640;text-decoration:none;color:inherit}
.text{white-space:pre-line;margin-block-start:8px}
.photos{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:8px}.photos h2{grid-column:1/-1}.photos img{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:14px;background:var(--surface-2)}
.jobs{display:grid;gap:12px;margin-block-start:12px}
.job{padding-block-end:0}.job h3{margin-block-start:8px}.job h3 a{text-decoration:none}.job h3 a::after{content:'';position:absolute;inset:0;border-radius:20px}
.job:hover{border-color:var(--text)}
.job .row{display:flex;justify-content:space-between;gap:12px}
.job .pay{display:flex;flex-wrap:wrap;align-items:center;gap:4px 8px;font-variant-numeric:tabular-nums}
.job .pay b{font-size:1.75rem;line-height:1;letter-spacing:-.03em;font-family:'Bricolage Grotesque',Figtree,'Figtree fallback',system-ui,sans-serif}
.job .pay span span{display:block;font-size:.8125rem;color:var(--text-2);line-height:1.25}
.job .who{display:flex;flex-wrap:wrap;align-items:center;gap:4px 8px;font-size:.9063rem;color:var(--text-2);margin-block-start:2px}
.job .foot{display:flex;flex-wrap:wrap;align-items:center;gap:4px 16px;min-height:44px;margin-block-start:10px;padding-block:6px;border-block-start:1px solid var(--line);font-size:.8125rem;font-weight:560}
.job .foot span{display:inline-flex;align-items:center;gap:6px}
.dock{position:sticky;inset-block-end:0;background:var(--surface);border-block-start:1px solid var(--line)}
.dock .wrap{display:flex;align-items:center;justify-content:space-between;gap:16px;padding-block:12px calc(12px + env(safe-area-inset-bottom,0px))}
.dock b{display:block;font-size:1.125rem;line-height:1.2}.dock .sm{display:block}
.btn{display:inline-flex;align-items:center;justify-content:center;min-height:52px;padding:0 28px;border-radius:999px;background:var(--action);color:var(--on-action);font-weight:650;text-decoration:none;text-align:center;line-height:1.2;flex:none}
.btn:hover{background:var(--action-press)}.btn.out{background:var(--surface);color:var(--text);border:1.5px solid var(--text-2)}
.vh{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.pages{display:flex;flex-wrap:wrap;gap:12px;margin-block-start:20px}
.chips{display:flex;flex-wrap:wrap;gap:8px;margin-block-start:12px}
.chips a{display:inline-flex;align-items:center;gap:8px;min-height:44px;padding-inline:16px;border-radius:999px;border:1.5px solid var(--line);background:var(--surface);text-decoration:none;font-weight:560;font-size:.9063rem}
.chips a:hover,.chips a[aria-current]{border-color:var(--text)}.chips a[aria-current]{background:var(--text);color:var(--bg)}
.search{position:relative;display:flex;max-width:34rem;margin-block-start:16px;border-radius:999px;background:var(--surface);color:var(--text)}
.sheet .search{border:1.5px solid var(--line)}section+.sm{margin-block-start:16px}
.search input[type=search]{flex:1;min-width:0;min-height:52px;padding-inline:20px 60px;border:1.5px solid transparent;border-radius:999px;background:none;color:inherit;font:inherit;appearance:none}
.search input::placeholder{color:var(--text-2);opacity:1}.search input::-webkit-search-cancel-button{appearance:none}
.search button{position:absolute;inset-block:4px;inset-inline-end:4px;width:44px;border:0;border-radius:999px;background:var(--action);color:var(--on-action);display:grid;place-items:center;cursor:pointer}
.foot-links{border-block-start:1px solid var(--line);margin-block-start:32px;padding-block:16px 32px;font-size:.9063rem;color:var(--text-2)}
.foot-links a{display:inline-flex;align-items:center;min-height:44px;padding-inline-end:16px}
[dir=rtl] :is(h1,h2,h3,.money b,.job .pay b){letter-spacing:0}[dir=rtl] :is(h1,h2,.mute,.t){text-align:right}
.foot-links a[aria-current]{font-weight:650;color:var(--text);text-decoration:none}
@media (max-width:799px){nav>.chips.strip{flex-wrap:nowrap;overflow-x:auto;margin-inline:-20px;padding-inline:20px;padding-block:4px;scrollbar-width:none}.strip li{flex:none}}
@media (min-width:800px){h1{font-size:2.375rem}.hero{padding-block-end:60px}.jobs{grid-template-columns:1fr 1fr}.wide{max-width:1120px}}
@media print{.top nav,.dock,.foot-links{display:none}.hero,.top{background:none;color:inherit}}`;

export const pageStyleHash = `sha256-${createHash('sha256').update(pageStyle).digest('base64')}`;
