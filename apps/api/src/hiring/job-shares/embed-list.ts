import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import type { SharedJob } from '../public-pages/shared-jobs.service.ts';

const css = `:host{all:initial;display:block;color-scheme:light dark;font:16px/1.4 system-ui,'Segoe UI',Roboto,sans-serif;--bg:#FFFDF8;--text:#12352A;--two:#4A6056;--line:#E3DBCA}
@media (prefers-color-scheme:dark){:host{--bg:#17201B;--text:#EDF3EC;--two:#A9B8AE;--line:#2A362F}}
section{color:var(--text)}h2{font-size:20px;margin:0 0 12px}ul{list-style:none;margin:0;padding:0;display:grid;gap:10px}
a{display:grid;gap:2px;background:var(--bg);border:1px solid var(--line);border-radius:16px;padding:14px 16px;color:inherit;text-decoration:none}
a:hover b{text-decoration:underline}a:focus-visible{outline:3px solid var(--text);outline-offset:2px}
b{font-size:17px}span,p{color:var(--two);font-size:14px;overflow-wrap:anywhere}p{margin:12px 0 0}`;

/** JSON as an expression in a script: no text can end the element or break a line. */
const asScript = (data: unknown): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * A script that lists a business's open jobs where it is placed in another site's page: in a shadow root, so neither page styles the other, and as
 * text only. It needs no further request.
 */
export function embedList(
  shown: { businessName: string; jobs: readonly SharedJob[] },
  publicUrl: string,
): string {
  const data = {
    title: `Jobs at ${shown.businessName}`,
    none: 'No open jobs right now.',
    by: 'Jobs by Nearhand',
    css,
    jobs: shown.jobs.map((job) => ({
      title: job.title,
      pay: [job.figure, ...job.notes].join(', '),
      facts: [job.when, job.place].filter((part) => part !== null).join(' · '),
      url: new URL(publicJobPath(job, 'embed'), publicUrl).href,
    })),
  };
  return `(function(d){'use strict';
var here=document.currentScript;if(!here)return;
var box=document.createElement('div'),root=box.attachShadow({mode:'open'}),sheet=new CSSStyleSheet();
sheet.replaceSync(d.css);root.adoptedStyleSheets=[sheet];
function add(to,tag,text){var made=document.createElement(tag);if(text)made.textContent=text;to.appendChild(made);return made}
var all=add(root,'section');add(all,'h2',d.title);
if(d.jobs.length===0)add(all,'p',d.none);
else{var list=add(all,'ul');d.jobs.forEach(function(job){var link=add(add(list,'li'),'a');link.href=job.url;link.target='_blank';link.rel='noopener';add(link,'b',job.title);add(link,'span',job.pay);add(link,'span',job.facts)})}
add(all,'p',d.by);here.parentNode.insertBefore(box,here.nextSibling);
})(${asScript(data)});
`;
}
