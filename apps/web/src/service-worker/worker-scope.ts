/** The worker APIs used here. TypeScript's worker types conflict with the DOM's in one program. */
type Waiting = { waitUntil: (work: Promise<unknown>) => void };

export type WorkerWindow = {
  url: string;
  focused: boolean;
  visibilityState: string;
  focus: () => Promise<WorkerWindow>;
  postMessage: (message: unknown, transfer?: readonly unknown[]) => void;
};

export type WorkerScope = {
  location: { origin: string };
  navigator: { userAgent: string };
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'pushManager'>;
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
    (
      name: 'pushsubscriptionchange',
      received: (event: Waiting & { oldSubscription?: PushSubscription | null }) => void,
    ): void;
  };
};
