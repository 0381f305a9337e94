import type { BrowserContext } from '@playwright/test';
import type { Meddling, Network } from '../servers/faulty-network.ts';
import type { Step } from './run.ts';

/** An intended defect, the steps that reveal it, and the difference that the run must find. */
export type Control = {
  meddle?: Meddling;
  breakClient?: (context: BrowserContext) => Promise<void>;
  weights: Partial<Record<Step, number>>;
  faults: readonly Network[];
  found: RegExp;
};

const isMessage = (url: string) => /\/conversations\/[^/]+\/messages$/.test(url);

const hiding = (classes: readonly string[]) => async (context: BrowserContext) => {
  await context.addInitScript((names) => {
    const hide = () => {
      for (const name of names)
        for (const element of document.querySelectorAll(`.${name}`)) element.classList.remove(name);
    };
    new MutationObserver(hide).observe(document, { subtree: true, childList: true, attributes: true });
  }, classes);
};

const dropFirst = async (context: BrowserContext) => {
  await context.addInitScript(() => {
    const drop = () => {
      const texts = [...document.querySelectorAll('.chat-text')];
      for (const text of texts)
        if (text.textContent === 'chaos 0.' && text !== texts.at(-1)) text.textContent = '';
    };
    new MutationObserver(drop).observe(document, { subtree: true, childList: true });
  });
};

export const controls = {
  /** Every attempt gets new ids, as from a client that does not keep them. */
  'new-ids': {
    meddle: ({ url, headers, body }) => {
      if (!isMessage(url)) return { body };
      headers['idempotency-key'] = crypto.randomUUID();
      const message = JSON.parse(body.toString()) as object;
      return { body: Buffer.from(JSON.stringify({ ...message, clientId: crypto.randomUUID() })) };
    },
    weights: { say: 1, network: 1 },
    faults: ['lossy'],
    found: /messages doubled/,
  },
  'lost-write': {
    meddle: ({ method, url, body }) => {
      const [, jobId] = /\/jobs\/([^/]+)\/saved$/.exec(url) ?? [];
      return jobId === undefined ? { body } : { answer: { jobId, saved: method === 'PUT' } };
    },
    weights: { heart: 1 },
    faults: ['good'],
    found: /saved jobs|shows another state than was tapped/,
  },
  'says-sent': {
    breakClient: hiding(['waiting']),
    weights: { say: 2, network: 1 },
    faults: ['captive'],
    found: /calls sent/,
  },
  'hides-faults': {
    breakClient: hiding(['banner']),
    weights: { read: 2, network: 1 },
    faults: ['cut'],
    found: /does not say (so|how old)/,
  },
  'drops-line': {
    breakClient: dropFirst,
    weights: { say: 1 },
    faults: ['good'],
    found: /the whole thread/,
  },
} satisfies Record<string, Control>;
