/** The worker APIs used here. TypeScript's worker types conflict with the DOM's in one program. */
type Waiting = { waitUntil: (work: Promise<unknown>) => void };

export type WorkerWindow = {
  url: string;
  focused: boolean;
  visibilityState: string;
  focus: () => Promise<WorkerWindow>;
  postMessage: (message: unknown, transfer?: readonly unknown[]) => void;
};

export type WorkerFetch = Waiting & {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith: (answer: Promise<Response>) => void;
};

export type WorkerScope = {
  location: { origin: string };
  navigator: { userAgent: string; connection?: { saveData?: boolean } };
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'pushManager'> & {
    navigationPreload?: Pick<NavigationPreloadManager, 'enable' | 'disable'>;
  };
  clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled: boolean }) => Promise<readonly WorkerWindow[]>;
    openWindow: (url: string) => Promise<unknown>;
    claim: () => Promise<void>;
  };
  skipWaiting: () => Promise<void>;
  addEventListener: {
    (name: 'install' | 'activate', received: (event: Waiting) => void): void;
    (name: 'push', received: (event: Waiting & { data: { text: () => string } | null }) => void): void;
    (
      name: 'notificationclick',
      received: (event: Waiting & { notification: { data: unknown; close: () => void } }) => void,
    ): void;
    (name: 'fetch', received: (event: WorkerFetch) => void): void;
    (
      name: 'message',
      received: (event: Waiting & { data: unknown; ports: readonly MessagePort[] }) => void,
    ): void;
    (
      name: 'pushsubscriptionchange',
      received: (event: Waiting & { oldSubscription?: PushSubscription | null }) => void,
    ): void;
  };
};
