import type { Page } from '@playwright/test';

/** Replaces Google's `gapi.iframes`, which the Firebase emulator would load from the internet. */
function framesLibrary(): void {
  type Message = { gapi: 'call' | 'answer' | 'ready'; id: string; name: string; body: unknown };
  type Handler = (body: unknown) => unknown;

  /** One end of a conversation. Calls that arrive before their handler wait for it. */
  function talkTo(other: () => Window | null) {
    const handlers = new Map<string, Handler>();
    const early: Message[] = [];
    const waiting = new Map<string, (answers: unknown[]) => void>();
    let onMessage = () => {};
    const ready = new Promise<void>((resolve) => {
      onMessage = resolve;
    });
    const post = (message: Partial<Message>) => other()?.postMessage(message, '*');
    const answer = async ({ id, name, body }: Message) =>
      post({ gapi: 'answer', id, body: [await handlers.get(name)?.(body)] });
    globalThis.addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
      if (source !== other()) return;
      if (data?.gapi === 'ready') onMessage();
      if (data?.gapi === 'answer') waiting.get(data.id)?.(data.body as unknown[]);
      if (data?.gapi !== 'call') return;
      if (handlers.has(data.name)) void answer(data);
      else early.push(data);
    });
    return {
      ready,
      post,
      register(name: string, handler: Handler) {
        handlers.set(name, handler);
        for (const message of early.filter((earlyMessage) => earlyMessage.name === name))
          void answer(message);
      },
      send(name: string, body: unknown, done: (answers: unknown[]) => void) {
        const id = String(Math.random());
        waiting.set(id, done);
        post({ gapi: 'call', id, name, body });
      },
    };
  }

  const context = {
    open(options: { url: string; where: HTMLElement }, opened: (frame: unknown) => unknown) {
      const frame = document.createElement('iframe');
      frame.hidden = true;
      frame.src = options.url;
      options.where.append(frame);
      const talk = talkTo(() => frame.contentWindow);
      return opened({ ...talk, restyle: async () => {}, ping: () => talk.ready });
    },
    getParentIframe() {
      const talk = talkTo(() => globalThis.parent);
      talk.post({ gapi: 'ready' });
      return talk;
    },
  };
  const gapi = {
    load: (_name: string, { callback }: { callback: () => void }) => callback(),
    iframes: { CROSS_ORIGIN_IFRAMES_FILTER: {}, Iframe: class {}, getContext: () => context },
  };
  // Frozen, so that the real library can't replace it when there is a network.
  Object.defineProperty(globalThis, 'gapi', { value: Object.freeze(gapi) });
  // The emulator's frame sets a callback here for the library.
  Object.defineProperty(globalThis, 'gapi_onload', { set: (loaded: () => void) => void setTimeout(loaded) });
}

export const standInForGoogle = async (page: Page): Promise<void> => {
  await page.addInitScript(framesLibrary);
};
