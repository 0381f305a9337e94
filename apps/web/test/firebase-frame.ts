import { expect, vi } from 'vitest';

type AuthEvent = { type: string; eventId?: string | null; error?: { code: string } };
/** The SDK's name for an app that has none. */
const mainApp = '[DEFAULT]';

type Heard = (message: { authEvent?: AuthEvent }) => unknown;

/**
 * Firebase's hidden frame and its window for a sign-in, as the real SDK meets them through Google's `gapi.iframes`. The SDK opens the frame
 * once, so that a test file needs one of these.
 */
export function standInForFrame() {
  /** By the app whose frame it is: one that ended badly keeps a deaf listener in the SDK. */
  const heard = new Map<string, Heard>();
  let storage = true;
  let opens: 'window' | 'nothing' | 'closed window' = 'window';
  let eventId: string | null = null;
  const frameOf = (app: string) => ({
    restyle: async () => {},
    ping: async () => {},
    register: (_name: string, handler: Heard) => void heard.set(app, handler),
    send: (_name: string, _body: unknown, done: (answers: unknown[]) => void) => {
      try {
        done([{ webStorageSupport: storage }]);
      } catch {
        // The SDK ends this answer with an error of its own, whatever it was.
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
    /** Once the SDK has opened the window. */
    opened: () => vi.waitFor(() => expect(eventId).not.toBeNull()),
    /** A message of the frame; with nothing in it, one that the SDK does not understand. */
    say: (message: { authEvent?: AuthEvent }) => heard.get(mainApp)?.(message),
    /** Firebase's page ends the sign-in in the open window with this code. */
    endWith: async (code: string) => {
      await vi.waitFor(() => {
        const event = { type: 'signInViaPopup', eventId, error: { code } };
        expect(eventId && heard.get(mainApp)?.({ authEvent: event })).toEqual({ status: 'ACK' });
      });
    },
  };
}

export type Frame = ReturnType<typeof standInForFrame>;
