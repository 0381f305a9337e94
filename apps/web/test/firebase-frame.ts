import { expect, vi } from 'vitest';

type AuthEvent = { type: string; eventId?: string | null; error?: { code: string } };
const mainApp = '[DEFAULT]';

type Heard = (message: { authEvent?: AuthEvent }) => unknown;

/** Replaces Google's `gapi.iframes` for the real SDK, which opens the frame once per test file. */
export function standInForFrame() {
  /** Listeners by app: a failed sign-in leaves one in the SDK that no longer responds. */
  const listeners = new Map<string, Heard>();
  let storage = true;
  let opens: 'window' | 'nothing' | 'closed window' = 'window';
  let eventId: string | null = null;
  const frameOf = (app: string) => ({
    restyle: async () => {},
    ping: async () => {},
    register: (_name: string, handler: Heard) => void listeners.set(app, handler),
    send: (_name: string, _body: unknown, done: (answers: unknown[]) => void) => {
      try {
        done([{ webStorageSupport: storage }]);
      } catch {
        // The SDK replaces this response with its own error.
      }
    },
  });
  const context = {
    open: ({ url }: { url: string }, opened: (frame: object) => unknown) =>
      opened(frameOf(new URL(url).searchParams.get('appName') ?? '')),
  };
  vi.stubGlobal('gapi', {
    iframes: { CROSS_ORIGIN_IFRAMES_FILTER: {}, Iframe: class {}, getContext: () => context },
  });
  const opening = vi.spyOn(window, 'open').mockImplementation((url) => {
    eventId = new URL(String(url)).searchParams.get('eventId');
    if (opens === 'nothing') return null;
    return { closed: opens === 'closed window', focus: () => {}, close: () => {} } as Window;
  });
  return {
    reset: () => {
      storage = true;
      opens = 'window';
      eventId = null;
    },
    remove: () => {
      opening.mockRestore();
      vi.unstubAllGlobals();
    },
    windowIs: (next: typeof opens) => {
      opens = next;
    },
    blockStorage: () => {
      storage = false;
    },
    opened: () => vi.waitFor(() => expect(eventId).not.toBeNull()),
    say: (message: { authEvent?: AuthEvent }) => listeners.get(mainApp)?.(message),
    endWith: async (code: string) => {
      await vi.waitFor(() => {
        const event = { type: 'signInViaPopup', eventId, error: { code } };
        expect(eventId && listeners.get(mainApp)?.({ authEvent: event })).toEqual({ status: 'ACK' });
      });
    },
  };
}

export type Frame = ReturnType<typeof standInForFrame>;
